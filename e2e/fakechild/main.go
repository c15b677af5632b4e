// Command fakechild stands in for `pimento rpc` where a test needs a child that
// misbehaves, or wants to see what the extension sends. FAKE_MODE says how:
//
//	good      answers well (the default)
//	slow      answers every turn only after FAKE_SLEEP
//	late      answers hello only after FAKE_SLEEP
//	mute      never answers anything
//	dies      exits on the first prompt of every life
//	garbage   prints nonsense between its answers
//	alien     speaks another protocol
//	refuses   answers every turn with an error
//
// Every line it gets is appended to FAKE_LOG; started as anything but rpc, it
// notes its arguments there. FAKE_DREAM is the hours between dreams that hello
// names.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"time"
)

type request struct {
	ID   int    `json:"id"`
	Op   string `json:"op"`
	Name string `json:"name"`
	Args any    `json:"args"`
	Turn struct {
		Event  string `json:"event"`
		Prompt string `json:"prompt"`
		Off    bool   `json:"off"`
	} `json:"turn"`
}

type object = map[string]any

func main() {
	mode := os.Getenv("FAKE_MODE")
	if len(os.Args) > 1 && os.Args[1] != "rpc" {
		dir, _ := os.Getwd()
		line, _ := json.Marshal(object{"op": "run", "args": os.Args[1:], "cwd": dir})
		record(line)
		return
	}
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(nil, 4<<20)
	prompts := 0
	for in.Scan() {
		record(in.Bytes())
		var r request
		if json.Unmarshal(in.Bytes(), &r) != nil {
			continue
		}
		if r.Turn.Event == "prompt" {
			prompts++
		}
		reply := answer(mode, r, prompts)
		if reply == nil {
			continue
		}
		reply["id"] = r.ID
		b, _ := json.Marshal(reply)
		if mode == "garbage" {
			fmt.Println("{not json\n\n[]\n\x00\xff\nnull")
		}
		fmt.Println(string(b))
		if r.Op == "shutdown" {
			return
		}
	}
}

func record(line []byte) {
	f, err := os.OpenFile(os.Getenv("FAKE_LOG"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return
	}
	_, _ = f.Write(append(line, '\n'))
	_ = f.Close()
}

func answer(mode string, r request, prompts int) object {
	sleep, _ := time.ParseDuration(os.Getenv("FAKE_SLEEP"))
	switch {
	case mode == "mute":
		return nil
	case mode == "late" && r.Op == "hello", mode == "slow" && r.Op == "turn":
		time.Sleep(sleep)
	case mode == "dies" && r.Turn.Event == "prompt":
		os.Exit(3)
	case mode == "refuses" && r.Op == "turn":
		return object{"ok": false, "error": object{"kind": "unavailable", "message": "disk is gone", "hint": "plug it in"}}
	}
	switch r.Op {
	case "hello":
		return hello(mode)
	case "turn":
		return turn(r, prompts)
	case "tool":
		if args, _ := json.Marshal(r.Args); string(args) == `{"query":"fail"}` {
			return object{"ok": true, "text": "no such thing", "is_error": true}
		}
		return object{"ok": true, "text": fmt.Sprint("FAKE-RESULT ", r.Args), "details": object{"ids": []string{"from-tool"}}}
	case "command":
		return object{"ok": true, "text": fmt.Sprint("FAKE-COMMAND ", r.Args), "level": "info"}
	default:
		return object{"ok": true, "text": ""}
	}
}

func hello(mode string) object {
	if mode == "alien" {
		return object{"ok": true, "protocol": 9, "version": "9.0.0"}
	}
	hours, _ := strconv.ParseFloat(os.Getenv("FAKE_DREAM"), 64)
	return object{"ok": true, "protocol": 1, "version": "fake", "profile": "default", "dream_hours": hours, "tools": []object{{
		"name": "memory_search", "label": "Memory", "description": "Search the fake memory", "snippet": "Search memory",
		"guidelines": []string{"Use memory_search for what was said before."},
		"parameters": object{"type": "object", "additionalProperties": false, "required": []string{"query"}, "properties": object{
			"query": object{"type": "string"}, "limit": object{"type": "integer", "minimum": 1}}},
	}}}
}

func turn(r request, prompts int) object {
	if r.Turn.Off {
		return object{"ok": true, "block": object{"prefix": "", "tail": ""}}
	}
	block := object{"prefix": "FAKE-PREFIX", "prefix_ids": []string{"p1"}, "trace_id": "t1"}
	if r.Turn.Event == "prompt" {
		block["tail"], block["tail_ids"] = fmt.Sprint("FAKE-TAIL ", prompts), []string{fmt.Sprint("tail-", prompts)}
	}
	reply := object{"ok": true, "block": block}
	if r.Turn.Event == "session_start" && os.Getenv("FAKE_CONSENT") != "" {
		reply["consent"] = object{"needed": true, "project": "/the/project", "pages": 3, "detail": "3 pages in .pi/memory"}
	}
	return reply
}
