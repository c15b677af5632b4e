package embed

import (
	"slices"
	"testing"
)

// restated are statements said twice, with most of their words kept, as when a
// model remembers what is remembered already.
var restated = [][2]string{
	{"Never push to main directly.", "Do not push directly to the main branch."},
	{"The nightly backup runs at 02:00 UTC.", "Backups run every night at 02:00."},
	{"We use pnpm, not npm.", "pnpm is the package manager, npm is not used."},
	{"Integration tests need Docker running.", "Docker must be up for the integration tests."},
	{"Errors are wrapped with the operation that failed.", "Wrap each error with the failed operation."},
	{"The API gateway times out after 30 seconds.", "Timeout of the API gateway is 30 s."},
	{"Anna owns the billing service.", "The billing service belongs to Anna."},
	{"Config is read from environment variables only.", "All configuration comes from environment variables."},
	{"Staging is redeployed on every merge.", "Each merge redeploys staging."},
	{"The cache key includes the tenant id.", "Tenant ids are part of the cache key."},
	{"Use UTC for all timestamps.", "Timestamps are always stored in UTC."},
	{"The search index is rebuilt on Sundays.", "Every Sunday we rebuild the index for search."},
	{"数据库迁移必须可以回滚。", "每个数据库迁移都要能回滚。"},
	{"日志里不能出现用户的邮箱。", "不要把用户邮箱写进日志。"},
	{"测试用 PostgreSQL 而不是 SQLite。", "测试环境使用 PostgreSQL，不用 SQLite。"},
}

// TestRelated holds Related to what its comment promises.
func TestRelated(t *testing.T) {
	s := NewStatic()
	var texts [][]float32
	var near, again, far []float64
	for _, p := range pairs {
		a, b := one(t, s, p[0]), one(t, s, p[1])
		near = append(near, cosine(a, b))
		texts = append(texts, a)
	}
	for _, p := range restated {
		a, b := one(t, s, p[0]), one(t, s, p[1])
		again = append(again, cosine(a, b))
		texts = append(texts, a)
	}
	for i, a := range texts {
		for _, b := range texts[:i] {
			far = append(far, cosine(a, b))
		}
	}
	for _, x := range [][]float64{near, again, far} {
		slices.Sort(x)
	}
	at := func(x []float64, share float64) float64 { return x[int(share*float64(len(x)-1))] }
	t.Logf("restated: 10%% below %.2f, half below %.2f", at(again, 0.1), at(again, 0.5))
	t.Logf("related: 25%% below %.2f, half below %.2f, 90%% below %.2f", at(near, 0.25), at(near, 0.5), at(near, 0.9))
	t.Logf("others: half below %.2f, 95%% below %.2f, 99%% below %.2f, all below %.2f", at(far, 0.5), at(far, 0.95), at(far, 0.99), at(far, 1))
	if x := float64(s.Info().Related); at(far, 0.95) > x || at(near, 0.5) < x {
		t.Errorf("Related is %.2f", x)
	}
}
