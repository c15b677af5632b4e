package bert

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// config is what of config.json matters, in its own names.
type config struct {
	Hidden    int     `json:"hidden_size"`
	Layers    int     `json:"num_hidden_layers"`
	Heads     int     `json:"num_attention_heads"`
	Inner     int     `json:"intermediate_size"`
	Vocab     int     `json:"vocab_size"`
	Positions int     `json:"max_position_embeddings"`
	Types     int     `json:"type_vocab_size"`
	Eps       float64 `json:"layer_norm_eps"`
	Act       string  `json:"hidden_act"`
	Model     string  `json:"model_type"`
	Position  string  `json:"position_embedding_type"`
	Name      string  `json:"_name_or_path"`

	cls bool // pool by the first token, not by the mean
}

// maxTokens is how many tokens we read of a text at most.
const maxTokens = 512

func (c config) maxTokens() int { return min(c.Positions, maxTokens) }

// maxJSON bounds the small files of a model; a tokenizer.json has 0.7 MB.
const maxJSON = 32 << 20

// readConfig reads config.json and how the model pools.
func readConfig(dir string) (config, error) {
	c := config{Types: 2, Eps: 1e-12, Act: "gelu", Positions: maxTokens}
	if err := readJSON(dir, "config.json", &c); err != nil {
		return c, err
	}
	if err := c.check(); err != nil {
		return c, damaged(dir, "config.json", err)
	}
	var pooling struct {
		CLS  bool `json:"pooling_mode_cls_token"`
		Mean bool `json:"pooling_mode_mean_tokens"`
	}
	err := readJSON(dir, "1_Pooling/config.json", &pooling)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		name := strings.ToLower(filepath.Base(dir) + " " + c.Name)
		c.cls = strings.Contains(name, "bge") // the other common models take the mean
	case err != nil:
		return c, err
	case pooling.CLS == pooling.Mean:
		return c, damaged(dir, "1_Pooling/config.json", errors.New("only pooling by the first token or by the mean is supported"))
	default:
		c.cls = pooling.CLS
	}
	return c, nil
}

// check refuses shapes that are no BERT, or beyond anything this package is
// for. The limits keep products of any two numbers far from overflow.
func (c config) check() error {
	for _, x := range []struct {
		name         string
		n, low, high int
	}{
		{"hidden_size", c.Hidden, 1, 4096}, {"num_hidden_layers", c.Layers, 1, 64}, {"num_attention_heads", c.Heads, 1, 256},
		{"intermediate_size", c.Inner, 1, 16384}, {"vocab_size", c.Vocab, 3, 1 << 20},
		{"max_position_embeddings", c.Positions, 3, 1 << 15}, {"type_vocab_size", c.Types, 1, 16},
	} {
		if x.n < x.low || x.n > x.high {
			return fmt.Errorf("%s is %d, not between %d and %d", x.name, x.n, x.low, x.high)
		}
	}
	switch {
	case c.Hidden%c.Heads != 0:
		return fmt.Errorf("%d heads do not divide hidden_size %d", c.Heads, c.Hidden)
	case c.Model != "" && c.Model != "bert":
		return fmt.Errorf("a model of the type %q; only bert is supported", c.Model)
	case c.Position != "" && c.Position != "absolute":
		return fmt.Errorf("position embeddings of the type %q are not supported", c.Position)
	case c.Act != "gelu":
		return fmt.Errorf("the activation %q is not supported, only gelu", c.Act)
	case !(c.Eps > 0 && c.Eps < 1):
		return fmt.Errorf("layer_norm_eps is %g", c.Eps)
	}
	return nil
}

// readQuery is the prompt for questions that a sentence-transformers model
// declares, "" without one.
func readQuery(dir string) string {
	var st struct {
		Prompts struct {
			Query string `json:"query"`
		} `json:"prompts"`
	}
	if readJSON(dir, "config_sentence_transformers.json", &st) != nil {
		return ""
	}
	return st.Prompts.Query
}

// readSmall reads a file of a model that must not be large.
func readSmall(dir, name string) ([]byte, error) {
	path := filepath.Join(dir, filepath.FromSlash(name))
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil {
		return nil, err
	} else if !info.Mode().IsRegular() {
		return nil, damaged(dir, name, errors.New("not a regular file"))
	}
	b, err := io.ReadAll(io.LimitReader(f, maxJSON+1))
	if err == nil && len(b) > maxJSON {
		err = damaged(dir, name, fmt.Errorf("larger than %d MB", maxJSON>>20))
	}
	return b, err
}

func readJSON(dir, name string, into any) error {
	b, err := readSmall(dir, name)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(b, into); err != nil {
		return damaged(dir, name, err)
	}
	return nil
}
