package memindex

import (
	"testing"

	"github.com/pimento-memory/pimento/internal/index"
	"github.com/pimento-memory/pimento/internal/index/indextest"
)

func TestSuite(t *testing.T) {
	indextest.Run(t, func(t *testing.T) index.Index { return New() })
}

func TestDifferential(t *testing.T) {
	indextest.Differential(t, New(), New(), 1)
}
