package engine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/crypt"
	"github.com/pimento-memory/pimento/internal/index"
	"github.com/pimento-memory/pimento/internal/index/memindex"
	"github.com/pimento-memory/pimento/internal/inject"
	"github.com/pimento-memory/pimento/internal/mirror"
	"github.com/pimento-memory/pimento/internal/page"
	"github.com/pimento-memory/pimento/internal/recall"
	"github.com/pimento-memory/pimento/internal/text"
	"github.com/pimento-memory/pimento/internal/vault"
)

// openedPerTurn is how many encrypted pages a prompt opens, those changed last:
// no index may hold their words, so each is decrypted to be searched.
const openedPerTurn = 5

// A sealedPage is an encrypted page of a root.
type sealedPage struct {
	st    *store
	rel   string
	stamp pimento.Stamp
}

// sealedPages lists the encrypted pages of a view, those changed last first.
func (e *Engine) sealedPages(ctx context.Context, v *view) (pages []sealedPage) {
	for _, st := range v.stores {
		if v.plain[st] {
			continue
		}
		look, done := mirror.LookFor(ctx, mirror.Occasion{})
		err := st.root.SweepSealed(look, func(rel string, stamp pimento.Stamp) {
			pages = append(pages, sealedPage{st, rel, stamp})
		})
		if late := look.Err() != nil; late {
			v.fault("deadline", "there was no time to look for encrypted pages in all folders")
		} else {
			v.faultErr("encryption", err)
		}
		done()
	}
	slices.SortFunc(pages, func(a, b sealedPage) int {
		return cmp.Or(cmp.Compare(b.stamp.Mtime, a.stamp.Mtime), cmp.Compare(a.rel, b.rel))
	})
	return pages
}

// opens says whether there are encrypted pages that can be opened here.
func (e *Engine) opens(ctx context.Context, v *view) bool {
	if len(e.sealedPages(ctx, v)) == 0 {
		return false
	}
	_, err := e.identity(v)
	return err == nil
}

// sealed are readers over encrypted pages, at most limit of them (0: all),
// which live as long as the answer. What cannot be opened is a fault.
func (e *Engine) sealed(ctx context.Context, v *view, limit int) (roots []recall.Source) {
	pages := e.sealedPages(ctx, v)
	if len(pages) == 0 {
		return nil
	}
	id, err := e.identity(v)
	if err != nil {
		v.fault("encryption", text.Plural(len(pages), "encrypted page")+" not searched: "+pimento.MessageOf(err))
		return nil
	}
	if limit > 0 && len(pages) > limit {
		v.fault("encryption", fmt.Sprintf("%d of %d encrypted pages searched, those changed last", limit, len(pages)))
		pages = pages[:limit]
	}
	for _, st := range v.stores {
		idx, entries := memindex.New(), map[place]pimento.Entry{}
		for _, p := range pages {
			if p.st == st {
				v.faultErr("encryption", p.readInto(ctx, id, idx, entries))
			}
		}
		if len(entries) > 0 {
			roots = append(roots, recall.Source{Scope: st.scope, Reader: idx, Text: func(_ context.Context, rel string, d index.Doc) (pimento.Entry, error) {
				return entries[place{rel, d.Statement, d.N}], nil
			}})
		}
	}
	return roots
}

// readInto decrypts a page into an index in memory. Its entries are named by
// the encrypted bytes and their order: a digest of their text would let
// whoever reads a journal try out what they say.
func (p sealedPage) readInto(ctx context.Context, id crypt.Identity, idx index.Index, entries map[place]pimento.Entry) error {
	b, _, err := p.st.root.Read(ctx, p.rel)
	if err != nil {
		return err
	}
	plain, err := id.Open(b, vault.MaxPage)
	if err != nil {
		return fmt.Errorf("%s: %w", p.rel, err)
	}
	digest := pimento.DigestOf(b)
	rel := vault.OpenedPage(p.rel)
	es := p.st.Entries(page.Parse(rel, plain))
	for i := range es {
		es[i].Page, es[i].Statement, es[i].N = p.rel, pimento.Statement(digestOf(fmt.Sprintf("%s %d", digest, i))), 0
		entries[place{p.rel, es[i].Statement, 0}] = es[i]
	}
	return idx.Apply(ctx, []index.Page{mirror.PageOf(text.NewAnalyzer(), p.rel, p.stamp, digest, 0, es)}, nil)
}

// identity reads the user's secret keys.
func (e *Engine) identity(v *view) (crypt.Identity, error) {
	path := v.encryption.IdentityPath(e.opt.Dirs.Home, filepath.Dir(e.configFile()))
	if path == "" {
		return crypt.Identity{}, &pimento.Error{Op: "identity", Path: e.configFile(), Kind: pimento.KindUnavailable,
			Err: errors.New("no identity is configured"), Hint: `name the file with your secret key: "encryption": {"identity": "FILE"}`}
	}
	b, err := os.ReadFile(path)
	if err != nil {
		if cause, ok := errors.AsType[*fs.PathError](err); ok {
			err = cause.Err
		}
		return crypt.Identity{}, &pimento.Error{Op: "identity", Path: path, Kind: pimento.KindUnavailable, Err: err,
			Hint: "your secret key belongs there, the file that pimento encrypt --setup or age-keygen wrote"}
	}
	id, err := crypt.ParseIdentity(b)
	if err != nil {
		return id, fmt.Errorf("%s: %w", path, err)
	}
	return id, nil
}

// openPages decrypts pages that a person asked to read.
func (e *Engine) openPages(v *view, pages []PageText) error {
	id, err := e.identity(v)
	if err != nil {
		return err
	}
	for i := range pages {
		plain, err := id.Open([]byte(pages[i].Text), vault.MaxPage)
		if err != nil {
			return fmt.Errorf("%s: %w", pages[i].Page, err)
		}
		pages[i].Text = string(plain)
	}
	return nil
}

// A SealReport is what encrypting or decrypting a page does.
type SealReport struct {
	Scope     pimento.Scope `json:"scope"`
	Page      string        `json:"page"`
	To        string        `json:"to"`
	Entries   int           `json:"entries"`
	Readers   []string      `json:"readers,omitempty"` // public keys
	Applied   bool          `json:"applied"`
	Removed   []string      `json:"removed,omitempty"`
	Untouched []string      `json:"untouched,omitempty"`
}

// Encrypt seals a page for the configured recipients, and takes its text out of
// everything else that we keep, as a purge does. Without apply it says only
// what it would do. A page that could not be opened again is not sealed.
func (e *Engine) Encrypt(ctx context.Context, name string, apply bool, by Actor) (SealReport, error) {
	v, at, err := e.sealTarget(ctx, "encrypt", name)
	if err != nil {
		return SealReport{}, err
	}
	if vault.Sealed(at.Page) {
		return e.sealedAlready(ctx, v, at, apply)
	}
	if err := vault.CheckWrite(at.Page); err != nil {
		return SealReport{}, err
	}
	if at.Scope == pimento.Local {
		return SealReport{}, &pimento.Error{Op: "encrypt", Path: at.Page, Kind: pimento.KindRefused, Err: errors.New("the local scope is one plain page"),
			Hint: "put what is secret on a page of the global scope"}
	}
	if len(v.encryption.Recipients) == 0 {
		return SealReport{}, &pimento.Error{Op: "encrypt", Path: at.Page, Kind: pimento.KindUsage, Err: errors.New("no recipient is configured"),
			Hint: "make a key with: pimento encrypt --setup"}
	}
	rep := SealReport{Scope: at.Scope, Page: at.Page, To: vault.SealedPage(at.Page), Readers: v.encryption.Recipients, Untouched: unreachable()}
	sealed, err := crypt.Seal([]byte(at.Text), v.encryption.Recipients)
	if err == nil {
		err = e.opensAgain(v, sealed)
	}
	if err != nil {
		return rep, err
	}
	st := v.store(at.Scope)
	es := st.Entries(page.Parse(at.Page, []byte(at.Text)))
	if rep.Entries = len(es); !apply {
		return rep, nil
	}
	if err := e.replacePage(ctx, st, at, rep.To, sealed, leaving(pimento.Purged, es), "encrypt", by); err != nil {
		return rep, err
	}
	rep.Applied, rep.Removed = true, []string{string(at.Scope) + ":" + at.Page}
	err = e.eraseAll(ctx, v, es, &rep)
	return rep, err
}

// sealedAlready refuses; with apply it takes the text of the page once more out of all
// else: an encryption that did not end has left it there.
func (e *Engine) sealedAlready(ctx context.Context, v *view, at PageText, apply bool) (SealReport, error) {
	if !apply {
		return SealReport{}, &pimento.Error{Op: "encrypt", Path: at.Page, Kind: pimento.KindRefused, Err: errors.New("it is encrypted already"),
			Hint: "to take what is left of its text elsewhere out once more: pimento encrypt " + at.Page + " --apply"}
	}
	opened := []PageText{at}
	if err := e.openPages(v, opened); err != nil {
		return SealReport{}, err
	}
	rep := SealReport{Scope: at.Scope, Page: vault.OpenedPage(at.Page), To: at.Page, Applied: true, Untouched: unreachable()}
	es := v.store(at.Scope).Entries(page.Parse(rep.Page, []byte(opened[0].Text)))
	rep.Entries = len(es)
	err := e.eraseAll(ctx, v, es, &rep)
	return rep, err
}

// eraseAll takes entries that are on no plain page any more out of all else.
func (e *Engine) eraseAll(ctx context.Context, v *view, es []pimento.Entry, rep *SealReport) error {
	var erased PurgeReport
	defer func() { rep.Removed = append(rep.Removed, erased.Removed...) }()
	gone := make([]purged, len(es))
	for i, en := range es {
		gone[i] = purged{en.Statement, en.Text}
		n, err := e.purgeRecovery(ctx, "", "", gone[i])
		if err != nil {
			return err
		}
		if n > 0 {
			erased.Removed = append(erased.Removed, "what recovery kept of "+string(en.Statement))
		}
	}
	elsewhere, err := e.erase(ctx, v, gone, &erased)
	return errors.Join(err, elsewhere)
}

// opensAgain refuses what its maker could not read.
func (e *Engine) opensAgain(v *view, sealed []byte) error {
	id, err := e.identity(v)
	if err != nil {
		return err
	}
	if _, err := id.Open(sealed, vault.MaxPage); err != nil {
		return &pimento.Error{Op: "encrypt", Kind: pimento.KindRefused, Err: errors.New("your identity could not open the page again"),
			Hint: `add your own public key to "recipients": age-keygen -y FILE prints it`}
	}
	return nil
}

// Decrypt makes a plain page of an encrypted one.
func (e *Engine) Decrypt(ctx context.Context, name string, apply bool, by Actor) (SealReport, error) {
	v, at, err := e.sealTarget(ctx, "decrypt", name)
	if err != nil {
		return SealReport{}, err
	}
	if !vault.Sealed(at.Page) {
		return SealReport{}, &pimento.Error{Op: "decrypt", Path: at.Page, Kind: pimento.KindRefused, Err: errors.New("it is not encrypted"),
			Hint: "an encrypted page ends in .md.age; see: pimento pages"}
	}
	id, err := e.identity(v)
	if err != nil {
		return SealReport{}, err
	}
	plain, err := id.Open([]byte(at.Text), vault.MaxPage)
	if err != nil {
		return SealReport{}, err
	}
	st := v.store(at.Scope)
	rep := SealReport{Scope: at.Scope, Page: at.Page, To: vault.OpenedPage(at.Page)}
	es := st.Entries(page.Parse(rep.To, plain))
	if rep.Entries = len(es); !apply {
		return rep, nil
	}
	if err := e.replacePage(ctx, st, at, rep.To, plain, leaving(pimento.Restored, es), "decrypt", by); err != nil {
		return rep, err
	}
	rep.Applied = true
	return rep, nil
}

// sealTarget finds the one page that a name stands for.
func (e *Engine) sealTarget(ctx context.Context, op, name string) (*view, PageText, error) {
	v := e.lookSynced(ctx)
	scope, rel := scopedPage(name)
	if err := vault.CheckPage(rel); err != nil {
		return v, PageText{}, err
	}
	at, err := e.onePage(ctx, v, op, scope, rel)
	if op == "encrypt" && pimento.KindOf(err) == pimento.KindNotFound {
		if sealed, serr := e.onePage(ctx, v, op, scope, vault.SealedPage(rel)); serr == nil {
			return v, sealed, nil
		}
	}
	return v, at, err
}

// leaving are events of one type, one for each entry.
func leaving(t pimento.EventType, es []pimento.Entry) []pimento.Event {
	out := make([]pimento.Event, len(es))
	for i, en := range es {
		out[i] = pimento.Event{Type: t, Scope: en.Scope, Page: en.Page, Statement: en.Statement, N: en.N}
	}
	return out
}

// replacePage puts a page in the place of another, on the one write path, and
// enters in the journal what became of their entries.
func (e *Engine) replacePage(ctx context.Context, st *store, at PageText, to string, b []byte, events []pimento.Event, verb string, by Actor) error {
	_, _, err := e.write(ctx, st, at.Page, func(d draft) (pimento.Plan, error) {
		if string(d.page.Bytes()) != at.Text {
			return pimento.Plan{}, &pimento.Error{Op: verb, Path: at.Page, Kind: pimento.KindConflict, Err: errors.New("the page was changed meanwhile"), Hint: "try again"}
		}
		there, err := st.draft(ctx, to)
		if err == nil && there.digest != "" {
			err = &pimento.Error{Op: verb, Path: to, Kind: pimento.KindConflict, Err: errors.New("there is such a page already"), Hint: "move it away first"}
		}
		if err != nil {
			return pimento.Plan{}, err
		}
		p := pimento.Plan{Verb: verb, Action: pimento.Put, Events: slices.Clone(events), Changes: []pimento.Change{
			{Scope: st.scope, Page: to, After: pimento.DigestOf(b), Splices: []pimento.Splice{{Ins: b}}},
			{Scope: st.scope, Page: at.Page, Before: d.digest},
		}}
		for i := range p.Events {
			p.Events[i].Actor = e.by(by).Actor
		}
		return p, nil
	})
	return err
}

// withoutSealed are facts without what stands on encrypted pages: what of a
// turn may be written down. ok is false when nothing of it does.
func withoutSealed(f inject.Facts) (plain inject.Facts, ok bool) {
	sealed := func(it inject.Item) bool { return vault.Sealed(it.Entry.Page) }
	hits := f.Items[pimento.PickHits]
	if !slices.ContainsFunc(hits, sealed) {
		return f, false
	}
	f.Items = maps.Clone(f.Items)
	f.Items[pimento.PickHits] = slices.DeleteFunc(slices.Clone(hits), sealed)
	return f, true
}

// checkSealed is what doctor says of the encrypted pages, nothing where there
// are none.
func (e *Engine) checkSealed(ctx context.Context, v *view) []Check {
	pages := e.sealedPages(ctx, v)
	if len(pages) == 0 {
		return nil
	}
	c := Check{Name: "encryption", OK: true, Detail: text.Plural(len(pages), "encrypted page")}
	id, err := e.identity(v)
	if err != nil {
		return []Check{{c.Name, false, c.Detail + ": " + pimento.MessageOf(err), pimento.HintOf(err)}}
	}
	path := v.encryption.IdentityPath(e.opt.Dirs.Home, filepath.Dir(e.configFile()))
	if info, err := os.Stat(path); err == nil && info.Mode().Perm()&0o077 != 0 && runtime.GOOS != "windows" {
		c.OK, c.Detail, c.Hint = false, path+" can be read by others", "chmod 600 "+path
	}
	out := []Check{c}
	for _, p := range pages {
		b, _, err := p.st.root.Read(ctx, p.rel)
		if err == nil {
			_, err = id.Open(b, vault.MaxPage)
		}
		if err != nil {
			out = append(out, Check{c.Name, false, string(p.st.scope) + ":" + p.rel + ": " + pimento.MessageOf(err), pimento.HintOf(err)})
		}
	}
	return out
}

// sealedReason is why a record does not say what it showed.
const sealedReason = "encrypted on disk, so its text is not kept"

// noted is the block as it may be written down: what is encrypted on disk is
// named in it, and not quoted.
func (t *turn) noted() pimento.Block {
	if t.plain == nil {
		return t.block
	}
	b := *t.plain
	b.Status, b.Profile, b.Session, b.TraceID, b.Faults = t.block.Status, t.block.Profile, t.block.Session, t.block.TraceID, t.block.Faults
	if t.isNew {
		b.Trace = append(slices.Clone(t.frozenTrace), b.Trace...)
	}
	for _, d := range t.block.Trace {
		if vault.Sealed(d.Page) {
			d.Reason = sealedReason
			b.Trace = append(b.Trace, d)
		}
	}
	return b
}

// quotesSealed says whether what a model says in this session may repeat what is
// encrypted on disk: then nothing that it says is kept.
func (t *turn) quotesSealed() bool { return t.state.Sealed || t.plain != nil }
