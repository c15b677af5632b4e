package mcpserver

//lint:file-ignore SA1019 roots are deprecated, and what clients of today say their project with

import (
	"context"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// rootsWait is how long a client may take to say its roots.
const rootsWait = 2 * time.Second

// stateless is the first version of the protocol in which a server sends no
// requests: what it wants to know it asks for in the result of a call, which the
// client then repeats with the answer.
const stateless = "2026-07-28"

// locate asks a client of before for its roots, once, and again after they changed.
func (s *server) locate(ctx context.Context, req mcp.Request) {
	conn, ok := req.GetSession().(*mcp.ServerSession)
	if !ok {
		return
	}
	p := conn.InitializeParams()
	if p == nil || p.ProtocolVersion >= stateless || p.Capabilities == nil || p.Capabilities.RootsV2 == nil {
		return
	}
	s.asking.Lock()
	defer s.asking.Unlock()
	if s.knowsRoots() {
		return
	}
	s.settle() // before asking: what changes meanwhile is asked for again
	ctx, cancel := context.WithTimeout(ctx, rootsWait)
	defer cancel()
	res, err := conn.ListRoots(ctx, nil)
	if err != nil {
		s.log.Warn("the client did not say its roots", "error", err)
		return
	}
	s.move(res)
}

// rootsFirst is what a call is answered with as long as a client of the stateless
// era, which has roots, was not asked for them; nil to go on.
func (s *server) rootsFirst(req *mcp.CallToolRequest) *mcp.CallToolResult {
	caps := req.ClientCapabilities()
	if req.ProtocolVersion() < stateless || caps == nil || caps.RootsV2 == nil || s.knowsRoots() {
		return nil
	}
	if req.Params.InputResponses == nil {
		return &mcp.CallToolResult{InputRequests: mcp.InputRequestMap{"roots": &mcp.ListRootsParams{}}}
	}
	s.settle()
	if res, ok := req.Params.InputResponses["roots"].(*mcp.ListRootsResult); ok {
		s.move(res)
	}
	return nil
}

func (s *server) knowsRoots() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.rooted
}

func (s *server) settle() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.rooted = true
}

func (s *server) askAgain() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.rooted = s.opt.Stays
}

// move goes to the first root that is a directory; without one, back to where we
// were started.
func (s *server) move(res *mcp.ListRootsResult) {
	dir := ""
	for _, r := range res.Roots {
		if r == nil {
			continue
		}
		if d, ok := fileRoot(r.URI); ok {
			dir = d
			break
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.dir = dir
}

// fileRoot is the directory that a file:// address names.
func fileRoot(uri string) (string, bool) {
	u, err := url.Parse(uri)
	if err != nil || u.Scheme != "file" || u.Host != "" && u.Host != "localhost" {
		return "", false
	}
	path := u.Path
	if len(path) > 2 && path[0] == '/' && filepath.VolumeName(path[1:]) != "" { // file:///C:/src
		path = path[1:]
	}
	path = filepath.Clean(filepath.FromSlash(path))
	info, err := os.Stat(path)
	if err != nil || !info.IsDir() || !filepath.IsAbs(path) || strings.ContainsRune(path, 0) {
		return "", false
	}
	return path, true
}
