// What pi's session already holds: which memories stand in the model's context,
// and which session this one was forked from. The session's branch is the truth
// here, so /tree, /fork, -c, resume and compaction need no bookkeeping of ours.

import { closeSync, openSync, readSync } from "node:fs";
import { basename } from "node:path";

/** The customType of the messages that carry a tail. */
export const MESSAGE = "pimento";

// biome-ignore lint/suspicious/noExplicitAny: pi's session entries differ between its versions
type Entry = any;

// biome-ignore lint/suspicious/noExplicitAny: see above
type Manager = any;

interface Names {
	has(name: string): boolean;
}

/**
 * The ids of all memories in the model's context, or null when this pi cannot
 * tell. Only entries that pi still sends count: a compaction drops what it
 * summarised, and a context edit replaces what a message said. Of one that is
 * being made, keptFrom is the first entry that it keeps.
 */
export function idsInContext(manager: Manager, tools: Names, keptFrom?: string): string[] | null {
	const all = contextEntries(manager);
	if (!all) return null;
	const entries = all.slice(Math.max(0, keptFrom ? all.findIndex((entry) => entry.id === keptFrom) : 0));
	const edited = new Set<string>();
	for (const entry of entries) if (entry.type === "context_edit") edited.add(entry.targetId);
	const ids = new Set<string>();
	for (const entry of entries) {
		if (edited.has(entry.id)) continue;
		const found = detailsOf(entry, tools)?.ids;
		if (!Array.isArray(found)) continue;
		for (const id of found) if (typeof id === "string") ids.add(id);
	}
	return [...ids];
}

function detailsOf(entry: Entry, tools: Names): { ids?: unknown } | undefined {
	if (entry.type === "custom_message") return entry.customType === MESSAGE ? entry.details : undefined;
	if (entry.type !== "message" || entry.message?.role !== "toolResult") return undefined;
	return tools.has(entry.message.toolName) ? entry.message.details : undefined;
}

/** Whether a message of ours stands in the session, be it in the model's context or not any more. */
export function arrived(manager: Manager, details: object): boolean {
	try {
		return manager.getBranch().some((entry: Entry) => entry.details === details);
	} catch {
		return false;
	}
}

/** What was said in this session, as far as it is in the model's context. */
export function messagesInContext(manager: Manager): unknown[] {
	return (contextEntries(manager) ?? []).map((entry) =>
		entry.type === "compaction" ? { role: "compactionSummary", summary: entry.summary } : entry.message,
	);
}

function contextEntries(manager: Manager): Entry[] | null {
	try {
		if (typeof manager.buildContextEntries === "function") return manager.buildContextEntries();
		return afterCompaction(manager.getBranch());
	} catch {
		return null;
	}
}

/** For a pi that only knows its branch: what its last compaction kept, and all that came later. */
function afterCompaction(branch: Entry[]): Entry[] {
	const at = branch.findLastIndex((entry) => entry.type === "compaction");
	if (at < 0) return branch;
	const kept = branch.findIndex((entry) => entry.id === branch[at].firstKeptEntryId);
	return [...(kept < 0 || kept > at ? [] : branch.slice(kept, at)), ...branch.slice(at + 1)];
}

/** The id of the session that this one was forked from, "" when it was not. */
export function parentOf(manager: Manager, reason?: string, previousFile?: string): string {
	let file: unknown;
	try {
		file = manager.getHeader?.()?.parentSession;
	} catch {
		// an old pi without headers
	}
	if (!file && reason === "fork") file = previousFile;
	return typeof file === "string" && file ? (idInHeader(file) ?? idInName(file)) : "";
}

function idInHeader(file: string): string | undefined {
	try {
		const fd = openSync(file, "r");
		try {
			const head = Buffer.alloc(64 << 10);
			const n = readSync(fd, head, 0, head.length, 0);
			const header = JSON.parse(head.toString("utf8", 0, n).split("\n", 1)[0]);
			return header.type === "session" && typeof header.id === "string" ? header.id : undefined;
		} finally {
			closeSync(fd);
		}
	} catch {
		return undefined;
	}
}

/** Session files are named TIME_ID.jsonl. */
function idInName(file: string): string {
	const name = basename(file).replace(/\.jsonl$/, "");
	return name.slice(name.lastIndexOf("_") + 1);
}
