package stub

import (
	"encoding/json"
	"fmt"
	"io"
)

// parseMessages reads a request of Anthropic's messages.
func parseMessages(body []byte) (req Request, err error) {
	var in struct {
		System   json.RawMessage
		Messages []struct {
			Role    string
			Content json.RawMessage
		}
		Tools []struct{ Name string }
	}
	err = json.Unmarshal(body, &in)
	req.System = text(in.System)
	for _, m := range in.Messages {
		msg := Message{Role: m.Role, Text: text(m.Content)}
		var parts []struct{ Type, Name string }
		_ = json.Unmarshal(m.Content, &parts)
		for _, p := range parts {
			if p.Type == "tool_use" {
				msg.Calls = append(msg.Calls, p.Name)
			}
		}
		req.add(msg)
	}
	for _, t := range in.Tools {
		req.Tools = append(req.Tools, t.Name)
	}
	return req, err
}

func sendMessages(w io.Writer, n int, reply Reply) {
	send := func(kind string, v object) {
		v["type"] = kind
		event(w, kind, v)
	}
	send("message_start", object{"message": object{"id": fmt.Sprint("msg_", n), "type": "message", "role": "assistant", "model": "stub-model",
		"content": []object{}, "usage": object{"input_tokens": reply.Tokens, "output_tokens": 1}}})
	block := func(i int, start, delta object) {
		send("content_block_start", object{"index": i, "content_block": start})
		send("content_block_delta", object{"index": i, "delta": delta})
		send("content_block_stop", object{"index": i})
	}
	block(0, object{"type": "text", "text": ""}, object{"type": "text_delta", "text": reply.Text})
	stop := "end_turn"
	for i, c := range reply.Calls {
		block(i+1, object{"type": "tool_use", "id": id("toolu", n, i), "name": c.Name, "input": object{}},
			object{"type": "input_json_delta", "partial_json": c.arguments()})
		stop = "tool_use"
	}
	send("message_delta", object{"delta": object{"stop_reason": stop}, "usage": object{"output_tokens": reply.out()}})
	send("message_stop", object{})
}
