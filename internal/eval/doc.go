// Package eval measures how good memory is, in three ways. It asks questions of
// package recall over an index on disk, exactly as a turn does: of foreign data
// ([Ranker]), of the project's own corpus ([Run]), of public benchmarks
// ([DialogueReport]). It lives prompts and sessions through the engine, and looks at
// what stands in front of the model ([Bench]). And it shows labelled exchanges to the
// detector of what is worth remembering ([Worth]).
package eval
