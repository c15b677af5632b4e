package cli

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"unsafe"
)

// TestHugeHeap: in a new process, what is allocated next lies where the kernel was
// asked for large pages.
func TestHugeHeap(t *testing.T) {
	if _, err := os.Stat("/sys/kernel/mm/transparent_hugepage"); err != nil {
		t.Skip("a kernel without large pages")
	}
	const child = "PIMENTO_TEST_HUGE_HEAP"
	if os.Getenv(child) == "" {
		cmd := exec.Command(os.Args[0], "-test.run=^TestHugeHeap$")
		cmd.Env = append(os.Environ(), child+"=1")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%v\n%s", err, out)
		}
		return
	}
	brief()
	var next [8][]byte // holes that were there before may take the first of them
	for i := range next {
		next[i] = make([]byte, 256<<10)
	}
	for _, b := range next {
		if strings.Contains(flagsAt(t, uintptr(unsafe.Pointer(&b[0]))), " hg") {
			return
		}
	}
	t.Error("the heap goes on in small pages")
}

// flagsAt are the kernel's flags of the mapping that holds an address.
func flagsAt(t *testing.T, at uintptr) string {
	f, err := os.Open("/proc/self/smaps")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	within := false
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var from, to uintptr
		if n, _ := fmt.Sscanf(lines.Text(), "%x-%x ", &from, &to); n == 2 {
			within = from <= at && at < to
		}
		if flags, ok := strings.CutPrefix(lines.Text(), "VmFlags:"); ok && within {
			return flags
		}
	}
	return ""
}
