package rpc

import (
	"strconv"
	"time"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/plainjson"
	"github.com/pimento-memory/pimento/internal/tool"
)

// reply writes one good answer. Fields are a struct or map that becomes a JSON
// object; id and ok are put in front.
func (s *server) reply(id int64, fields any) {
	body, err := plainjson.Marshal(fields, "")
	if err != nil {
		s.fail(id, err)
		return
	}
	line := make([]byte, 0, len(body)+48)
	line = strconv.AppendInt(append(line, `{"id":`...), id, 10)
	line = append(line, `,"ok":true`...)
	if len(body) > len("{}\n") {
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
	line, encErr := plainjson.Marshal(failed{ID: id, Error: errorBody{
		Kind: pimento.KindOf(err).String(), Message: tool.Message(err), Hint: pimento.HintOf(err)}}, "")
	if encErr == nil {
		s.write(line)
	}
}

// write puts a whole line out at once, its break included. After the first failure nobody listens
// any more, so the rest is given up; but whoever left may have said a last thing
// before, so the input is read on for a while.
func (s *server) write(line []byte) {
	s.writing.Lock()
	defer s.writing.Unlock()
	if s.writeErr != nil {
		return
	}
	if _, err := s.out.Write(line); err != nil {
		s.writeErr = err
		time.AfterFunc(deafTimeout, s.hangUp)
	}
}
