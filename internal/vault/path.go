package vault

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/page"
)

// maxPathLen bounds a page's path; maxNameLen bounds one component, with room
// below the 255 bytes that file systems take.
const (
	maxPathLen = 1024
	maxNameLen = 200
)

// faultOfPath says what is wrong with a page's path, or "". A page is relative
// to its root, with slashes, ends in .md, and has no hidden component, so that
// it can name neither anything outside the root nor our own temporary files.
func faultOfPath(rel string) string {
	switch {
	case rel == "":
		return "the path is empty"
	case len(rel) > maxPathLen:
		return "the path is too long"
	case !utf8.ValidString(rel):
		return "the path is not valid UTF-8"
	case rel[0] == '/':
		return "the path is absolute"
	case !strings.HasSuffix(rel, ".md") && !Sealed(rel):
		return "a page's name ends in .md"
	}
	for _, r := range rel {
		if r < ' ' || r == 0x7f || r == '\\' || (r >= 0x80 && r < 0xa0) {
			return "the path contains a control character or a backslash"
		}
	}
	for name := range strings.SplitSeq(rel, "/") {
		switch {
		case name == "":
			return "the path has an empty component"
		case name[0] == '.':
			return "the path leaves the root or names something hidden"
		case len(name) > maxNameLen:
			return "a name in the path is too long"
		}
	}
	return ""
}

// faultOfNewPath says why a page of that path should not be created, although
// one that is there already may be read and edited: other systems of the team
// could not check it out.
func faultOfNewPath(rel string) string {
	if strings.ContainsAny(rel, `<>:"|?*`) {
		return `a new page's path contains one of <>:"|?*`
	}
	for name := range strings.SplitSeq(rel, "/") {
		stem, _, _ := strings.Cut(strings.ToLower(name), ".")
		if isDeviceName(stem) {
			return "the name is reserved on Windows"
		}
		if last := name[len(name)-1]; last == ' ' || last == '.' {
			return "a name in the path ends in a space or a dot"
		}
		if bare := strings.TrimSuffix(name, ".md"); bare != strings.TrimSpace(bare) {
			return "a name in the path begins or ends with a space"
		}
		if name == "~" {
			return "the path begins in a home directory"
		}
	}
	return ""
}

func isDeviceName(stem string) bool {
	switch stem {
	case "con", "prn", "aux", "nul":
		return true
	}
	return len(stem) == 4 && (strings.HasPrefix(stem, "com") || strings.HasPrefix(stem, "lpt")) &&
		stem[3] >= '1' && stem[3] <= '9'
}

// checkPage refuses a path that is no page of this root.
func (r *Root) checkPage(op, rel string) error {
	if what := faultOfPath(rel); what != "" {
		return refuse(op, rel, pimento.KindUsage, what, "name a page below the memory root, like topics/build.md")
	}
	if !r.Holds(rel) {
		return refuse(op, rel, pimento.KindUsage, "the page is not in the "+string(r.scope)+" scope",
			page.LocalMemory+" is the local scope's only page, and no other scope's")
	}
	return nil
}

// Holds tells whether a page belongs to this root's scope: the local scope
// shares its directory with the project scope. Case is folded because some
// file systems do.
func (r *Root) Holds(rel string) bool {
	switch r.scope {
	case pimento.Local:
		return rel == page.LocalMemory
	case pimento.Project:
		return !strings.EqualFold(rel, page.LocalMemory)
	default:
		return true
	}
}

// sealedExt ends the name of an encrypted page, after its .md.
const sealedExt = ".age"

// Sealed says whether a page is an encrypted one.
func Sealed(rel string) bool { return strings.HasSuffix(rel, ".md"+sealedExt) }

// SealedPage is the path that a page has when it is encrypted.
func SealedPage(rel string) string { return rel + sealedExt }

// OpenedPage is the path that an encrypted page has when it is decrypted.
func OpenedPage(rel string) string { return strings.TrimSuffix(rel, sealedExt) }

// CheckWrite is CheckPage for a page that an entry is to be written on. It also
// refuses what no sweep would find again.
func CheckWrite(rel string) error {
	if err := CheckPage(rel); err != nil {
		return err
	}
	if Sealed(rel) {
		return refuse("page", rel, pimento.KindUsage, "an encrypted page is not written to", "decrypt it, write, and encrypt it again")
	}
	if page.Archived(rel) || strings.Count(rel, "/") > maxDepth {
		return refuse("page", rel, pimento.KindUsage, "pages there are not recalled",
			"name a page outside of "+page.ArchiveDir+", at most "+strconv.Itoa(maxDepth)+" folders deep")
	}
	return nil
}

// ArchivePage is where a page goes in the archive; n counts from 0 the names
// that are tried when one is taken: archive/a.md, archive/a-2.md, ...
func ArchivePage(rel string, n int) string {
	if n > 0 {
		rel = strings.TrimSuffix(rel, ".md") + "-" + strconv.Itoa(n+1) + ".md"
	}
	return page.ArchiveDir + rel
}

// CheckPage says what is wrong with a path as the name of a page, as a
// KindUsage error, before anything is opened.
func CheckPage(rel string) error {
	if why := faultOfPath(rel); why != "" {
		return refuse("page", rel, pimento.KindUsage, why, "name a page like MEMORY.md or topics/deploy.md")
	}
	return nil
}
