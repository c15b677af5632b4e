package network

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/pimento-memory/pimento/internal/courier"
)

// Fetch downloads a file to req.To (0600). What an earlier call left there is
// gone on with, if the server confirms that it is still the same file; which
// file that is stands beside it until it is whole. A connection that breaks is
// taken up again as long as something comes.
func (n *Network) Fetch(ctx context.Context, req courier.FetchRequest, progress func(done, total int64)) error {
	if progress == nil {
		progress = func(int64, int64) {}
	}
	f, err := os.OpenFile(req.To, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return fail(opFetch, req.To, permanent{err})
	}
	d := &download{Network: n, req: req, file: f, progress: progress}
	for before := int64(-1); ; before = d.at {
		err = n.again(ctx, tries, func() error { return d.try(ctx) })
		if err == nil || d.at <= before || ctx.Err() != nil || !errors.Is(err, io.ErrUnexpectedEOF) {
			break
		}
	}
	if err == nil {
		err = f.Sync()
	}
	if closing := f.Close(); err == nil {
		err = closing
	}
	switch {
	case err == nil:
		err = removeIfThere(req.To + originSuffix)
	case d.at == 0:
		_ = os.Remove(req.To) // nothing came
	}
	return fail(opFetch, req.URL, err)
}

const originSuffix = ".origin"

// origin is what a partial file is a part of.
type origin struct {
	URL       string `json:"url"`
	Validator string `json:"validator"` // for If-Range: a strong ETag or a Last-Modified date
}

type download struct {
	*Network
	req      courier.FetchRequest
	file     *os.File
	at       int64 // how much is there
	progress func(done, total int64)
}

// try makes one request and takes what it brings.
func (d *download) try(ctx context.Context) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, d.req.URL, nil)
	if err != nil {
		return permanent{err}
	}
	r.Header.Set("User-Agent", "pimento")
	r.Header.Set("Accept-Encoding", "identity") // a range is one of the file's own bytes
	if d.at = d.partial(); d.at > 0 {
		from := readOrigin(d.req.To)
		r.Header.Set("Range", fmt.Sprintf("bytes=%d-", d.at))
		r.Header.Set("If-Range", from.Validator)
	}
	stall := d.Stall
	if stall <= 0 {
		stall = time.Minute
	}
	watch := time.AfterFunc(stall, func() { cancel(errStalled) })
	defer watch.Stop()
	resp, err := d.fetch.Do(r)
	if err != nil {
		return cause(ctx, err)
	}
	defer resp.Body.Close()
	total, err := d.begin(resp)
	if err != nil {
		return err
	}
	return cause(ctx, d.copy(resp.Body, total, func() { watch.Reset(stall) }))
}

var errStalled = errors.New("the download stands still")

// cause is why a context ended, when it was we who ended it.
func cause(ctx context.Context, err error) error {
	if err != nil && errors.Is(context.Cause(ctx), errStalled) {
		return errStalled
	}
	return err
}

// partial is how much of this very file is there already, 0 when nothing says
// that it is this one.
func (d *download) partial() int64 {
	from := readOrigin(d.req.To)
	info, err := d.file.Stat()
	if err != nil || from.URL != d.req.URL || from.Validator == "" {
		return 0
	}
	return info.Size()
}

// begin looks at the head of an answer and returns the size of the whole file,
// 0 for unknown.
func (d *download) begin(resp *http.Response) (total int64, err error) {
	switch resp.StatusCode {
	case http.StatusPartialContent:
		var from int64
		if from, total, err = contentRange(resp.Header.Get("Content-Range")); err == nil && from != d.at {
			err = fmt.Errorf("the server goes on at %d, not at %d", from, d.at)
		}
		if err != nil {
			return 0, errors.Join(permanent{err}, d.restart())
		}
	case http.StatusOK:
		if err := d.restart(); err != nil {
			return 0, err
		}
		total = max(resp.ContentLength, 0)
	case http.StatusRequestedRangeNotSatisfiable:
		// Nothing lies behind what we have: it is all, or too much.
		if _, total, err = contentRange(resp.Header.Get("Content-Range")); err == nil && total == d.at {
			return total, nil
		}
		return 0, errors.Join(io.ErrUnexpectedEOF, d.restart())
	default:
		return 0, refused(resp)
	}
	if d.req.Max > 0 && total > d.req.Max {
		return 0, permanent{fmt.Errorf("the file has %d bytes, more than the %d that are allowed", total, d.req.Max)}
	}
	return total, d.writeOrigin(resp)
}

// restart forgets what is there.
func (d *download) restart() error {
	d.at = 0
	if err := removeIfThere(d.req.To + originSuffix); err != nil {
		return permanent{err}
	}
	if err := d.file.Truncate(0); err != nil {
		return permanent{err}
	}
	return nil
}

// copy appends what comes and counts it.
func (d *download) copy(body io.Reader, total int64, alive func()) error {
	if total > 0 && d.at == total {
		d.progress(d.at, total)
		return nil
	}
	buf := make([]byte, 256<<10)
	for {
		n, err := body.Read(buf)
		if n > 0 {
			alive()
			if d.req.Max > 0 && d.at+int64(n) > d.req.Max {
				return permanent{fmt.Errorf("the file has more than the %d bytes that are allowed", d.req.Max)}
			}
			if _, err := d.file.WriteAt(buf[:n], d.at); err != nil {
				return permanent{err}
			}
			d.at += int64(n)
			d.progress(d.at, total)
		}
		switch {
		case err == io.EOF && total > 0 && d.at != total:
			return fmt.Errorf("%d of %d bytes came: %w", d.at, total, io.ErrUnexpectedEOF)
		case err == io.EOF:
			return nil
		case err != nil:
			return fmt.Errorf("%w (%w)", err, io.ErrUnexpectedEOF)
		}
	}
}

// writeOrigin notes what the file is a part of, before there is a part. A
// weak ETag says nothing about bytes, so it does not count (RFC 9110, 13.1.5).
func (d *download) writeOrigin(resp *http.Response) error {
	o := origin{URL: d.req.URL, Validator: resp.Header.Get("ETag")}
	if strings.HasPrefix(o.Validator, "W/") || o.Validator == "" {
		o.Validator = resp.Header.Get("Last-Modified")
	}
	b, _ := json.Marshal(o)
	if err := os.WriteFile(d.req.To+originSuffix, b, 0o600); err != nil {
		return permanent{err}
	}
	return nil
}

func readOrigin(to string) (o origin) {
	if b, err := os.ReadFile(to + originSuffix); err == nil {
		_ = json.Unmarshal(b, &o) // a torn one has no URL
	}
	return o
}

// contentRange reads "bytes 5-9/10", and "bytes */10" as from 0.
func contentRange(s string) (from, total int64, err error) {
	span, size, ok := strings.Cut(strings.TrimPrefix(s, "bytes "), "/")
	if !ok {
		return 0, 0, fmt.Errorf("the server's range is %.40q", s)
	}
	if first, _, ok := strings.Cut(span, "-"); ok {
		if from, err = strconv.ParseInt(first, 10, 64); err != nil {
			return 0, 0, err
		}
	}
	if size != "*" {
		total, err = strconv.ParseInt(size, 10, 64)
	}
	return from, total, err
}

func removeIfThere(path string) error {
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}
