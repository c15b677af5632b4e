package stub

import (
	"encoding/json"
	"fmt"
	"io"
)

// parseResponses reads a request of OpenAI's responses.
func parseResponses(body []byte) (req Request, err error) {
	var in struct {
		Instructions string
		Input        []struct {
			Type, Role, Name, Namespace string
			Content, Output             json.RawMessage
		}
		Tools []struct {
			Name  string
			Tools []struct{ Name string }
		}
	}
	err = json.Unmarshal(body, &in)
	req.System = in.Instructions
	for _, m := range in.Input {
		switch m.Type {
		case "message":
			req.add(Message{Role: m.Role, Text: text(m.Content)})
		case "function_call":
			req.add(Message{Role: "assistant", Calls: []string{within(m.Namespace, m.Name)}})
		case "function_call_output":
			req.add(Message{Role: "tool", Text: text(m.Output)})
		}
	}
	for _, t := range in.Tools {
		if len(t.Tools) == 0 {
			req.Tools = append(req.Tools, t.Name)
		}
		for _, inner := range t.Tools {
			req.Tools = append(req.Tools, within(t.Name, inner.Name))
		}
	}
	return req, err
}

// within is a tool's name as others write it.
func within(namespace, name string) string {
	if namespace == "" {
		return name
	}
	return namespace + "__" + name
}

func sendResponses(w io.Writer, n int, reply Reply) {
	send := func(kind string, v object) {
		v["type"] = kind
		event(w, kind, v)
	}
	response := object{"id": fmt.Sprint("resp_", n), "object": "response", "status": "in_progress", "model": "stub-model"}
	send("response.created", object{"response": response})
	items := []object{{"id": id("item", n, 0), "type": "message", "role": "assistant", "status": "completed",
		"content": []object{{"type": "output_text", "text": reply.Text, "annotations": []object{}}}}}
	for i, c := range reply.Calls {
		call := object{"id": id("fc", n, i), "type": "function_call", "status": "completed", "call_id": id("call", n, i),
			"name": c.Name, "arguments": c.arguments()}
		if c.Namespace != "" {
			call["namespace"] = c.Namespace
		}
		items = append(items, call)
	}
	for i, item := range items {
		send("response.output_item.added", object{"output_index": i, "item": item})
		send("response.output_item.done", object{"output_index": i, "item": item})
	}
	response["status"], response["output"] = "completed", items
	response["usage"] = object{"input_tokens": reply.Tokens, "output_tokens": reply.out(), "total_tokens": reply.Tokens + reply.out()}
	send("response.completed", object{"response": response})
}
