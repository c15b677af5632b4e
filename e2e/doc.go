// Package e2e drives the real pi, offline, against a model of our own.
//
// Nothing is simulated but the model: pi and its Node come from the cache that
// test.sh fills, the extension from this checkout, and the memory from the
// binary that is built once for all tests. What is checked is what the model
// was sent. Every test has its own home, agent folder and project.
//
// Without pi the tests skip and say so; with CI=true they fail instead.
package e2e
