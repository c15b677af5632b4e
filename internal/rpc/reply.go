package rpc

import (
	"bytes"
	"encoding/json"
	"time"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/tool"
)

// reply writes one good answer. Fields are a struct or map that becomes a JSON
// object; id and ok are put in front.
func (s *server) reply(id int64, fields any) {
	body, err := encode(fields)
	if err != nil {
		s.fail(id, err)
		return
	}
	head, _ := json.Marshal(id)
	line := append([]byte(`{"id":`), head...)
	line = append(line, `,"ok":true`...)
	if len(body) > 2 {
		line = append(line, ',')
	}
	s.write(append(line, body[1:]...))
}

// failed is the error of a reply.
type failed struct {
	ID    int64     `json:"id"`
	OK    bool      `json:"ok"`
	Error errorBody `json:"error"`
}

type errorBody struct {
	Kind    string `json:"kind"` // see pimento.ErrorKind
	Message string `json:"message"`
	Hint    string `json:"hint"`
}

func (s *server) fail(id int64, err error) {
	line, encErr := encode(failed{ID: id, Error: errorBody{
		Kind: pimento.KindOf(err).String(), Message: tool.Message(err), Hint: pimento.HintOf(err)}})
	if encErr == nil {
		s.write(line)
	}
}

// write puts a whole line out at once. After the first failure nobody listens
// any more, so the rest is given up; but whoever left may have said a last thing
// before, so the input is read on for a while.
func (s *server) write(line []byte) {
	s.writing.Lock()
	defer s.writing.Unlock()
	if s.writeErr != nil {
		return
	}
	if _, err := s.out.Write(append(line, '\n')); err != nil {
		s.writeErr = err
		time.AfterFunc(deafTimeout, s.hangUp)
	}
}

func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimRight(b.Bytes(), "\n"), nil
}
