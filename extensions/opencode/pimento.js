// Pimento in opencode: this file only carries opencode's events to `pimento rpc`
// and the answers back. What is remembered and injected is decided there.
//
// The stable part of the memory becomes a part of the system prompt, the part for
// this prompt a hidden text beside the user's message; the tools come over MCP. If
// the program is missing, slow or dies, opencode answers as if this plugin were not
// there, and says so once. Nothing here may throw: opencode gives up a prompt whose
// hook does. It takes every export for a plugin, so there is one.

import { spawn } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { accessSync, constants, readFileSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, isAbsolute, join } from "node:path";
import { isMainThread } from "node:worker_threads";

const PROTOCOL = 1;

/** What the person is told of some sorts of trouble; of others, the message. */
const SAID = {
	missing:
		"the program is not installed, so there is no memory. Install it with: git clone https://github.com/pimento-memory/pimento && go install -C pimento ./cmd/pimento ./cmd/pimento-mcp",
	late: "memory was too slow for this prompt and was left out",
	gone: "the memory process stopped; it is started again when it is next needed",
};

/** How long opencode may be held up, in ms. The prompt's own limit is deadline(). */
const LIMIT = { hello: 1000, compact: 2000, goodbye: 300 };

/** Limits as in turn.go, in characters; a line must stay below a megabyte even when escaped. */
const MAX = { line: 1_000_000, prompt: 150_000, answer: 60_000, tools: 100, edited: 10, messages: 400, message: 8000, dropped: 50_000 };
/** A child that sends so much without a line break is no child of ours. */
const MAX_UNBROKEN = 8_000_000;
const MAX_RESTARTS = 3;
const MAX_LATE = 3; // in a row

/** The member of a tool answer's _meta that lists which memories it holds. */
const IDS = "pimento/ids";
const WRITERS = new Set(["edit", "write"]);

/** Why there is no answer. The kinds "missing" and "off" last for as long as opencode runs. */
class Trouble extends Error {
	constructor(kind, message) {
		super(message);
		this.kind = kind; // missing, off, late, gone, refused
	}
}

/** One project directory of opencode, with all its sessions. */
export const Pimento = async ({ client, directory }) => {
	if (process.env.PIMENTO_THINKING) return {}; // opencode answers a question of ours
	const sessions = new Map();
	const said = new Set();
	const began = Date.now();
	let patience = 0; // ms, what the program says a prompt may take
	let transcript = false; // the end of a session shall bring along what was said
	let over = false;
	const child = new Child({ protocol: { min: PROTOCOL, max: PROTOCOL }, harness: "opencode", cwd: directory });

	/** A hook out of which nothing is thrown. */
	const guard = (run) => async (input, output) => {
		try {
			await run(input, output);
		} catch (err) {
			if (!over) say(err?.kind ?? "error", SAID[err?.kind] ?? String(err?.message ?? err));
		}
	};

	/** A line for the person, once. The screen is another thread's, and standard error would be drawn over it. */
	function say(key, text) {
		if (said.has(key)) return;
		said.add(key);
		if (isMainThread) console.error(`pimento: ${text}`);
		const ask = async (question) => question(); // whatever it throws is in the promise
		ask(() => client.tui.showToast({ body: { title: "Pimento", message: text, variant: "info", duration: 10_000 } })).catch(() => {});
		ask(() => client.app.log({ body: { service: "pimento", level: "warn", message: text } })).catch(() => {});
	}

	const used = holder(directory);
	if (used !== import.meta.url) return { "chat.message": async () => say("twice", `installed twice; ${used} is used and ${import.meta.url} is not`) };

	/** Acts on what every answer may carry: a refusal, a line for the person, a question. */
	function heed({ ok, error, notice, consent }) {
		if (!ok) say(`refused ${error?.message}`, [error?.message || "refused", error?.hint].filter(Boolean).join("; "));
		if (notice) say(`notice ${notice}`, String(notice));
		if (!consent?.needed) return;
		const about = [`${consent.project || directory} comes with memory that you have not agreed to.`, consent.detail, "To agree: pimento trust"];
		say(`consent ${consent.project}`, about.filter(Boolean).join(" "));
	}

	/** What is known of a session; kin is its record in opencode, which names the session that a subagent's belongs to. */
	function session(id) {
		const s = sessions.get(id) ?? { id, kin: undefined, begun: false, prefix: "", asked: [], answer: [], tools: new Map(), compaction: "", told: false, summary: "", context: [] };
		sessions.set(id, s);
		return s;
	}

	function turn(event, s, more) {
		const known = s.kin && { main: !s.kin.parentID, by_agent: !!s.kin.parentID };
		return { turn: { event, harness: "opencode", session: s.id, cwd: directory, ...known, ...more } };
	}

	/** Nobody waits for the answer; what is wrong with the program, the next prompt says. */
	const post = (event, s, more) => child.call("turn", turn(event, s, more)).catch(() => undefined);

	/** What opencode is to know of our tools, as soon as the program shows that it works. */
	async function greet() {
		const reply = await child.greet();
		if (!reply.ok || reply.protocol !== PROTOCOL) {
			const why = reply.ok ? `this plugin speaks protocol ${PROTOCOL} and the program ${reply.protocol}; update both` : reply.error?.message;
			throw child.close(new Trouble("off", `memory is off: ${why}`));
		}
		patience = Number(reply.deadline_ms) || 0;
		transcript = reply.transcript === true;
		return reply.tools?.length ? { type: "local", command: [child.program, "mcp", "--tools-only"], enabled: true } : undefined;
	}

	async function config(cfg) {
		const greeted = greet();
		try {
			const server = await within(greeted, LIMIT.hello);
			if (server) cfg.mcp = { pimento: server, ...cfg.mcp };
		} catch (err) {
			if (err.kind !== "late") return; // the first prompt says it
			greeted.then((server) => server && client.mcp.add({ body: { name: "pimento", config: server } })).catch(() => {});
		}
	}

	async function prompt({ sessionID }, { message, parts }) {
		const until = Date.now() + Math.max(deadline(), patience);
		const s = session(sessionID);
		const text = apart(textOf(parts));
		s.asked.push(text);
		if (!s.kin) s.kin = (await within(client.session.get({ path: { id: sessionID } }), deadline() / 3).catch(() => undefined))?.data;
		if (!s.begun) post("session_start", s, { reason: s.kin?.time?.created >= began ? "startup" : "resume" }).then((reply) => reply && heed(reply));
		s.begun = true;
		const reply = await child.call("turn", turn("prompt", s, { prompt: bothEnds(text, MAX.prompt) }), Math.max(1, until - Date.now()));
		heed(reply);
		const { block } = reply;
		if (!reply.ok || !block) return;
		// "unavailable" with nothing in it says that memory failed, not that there is none.
		if (block.prefix || block.status !== "unavailable") s.prefix = String(block.prefix ?? "");
		if (block.tail) parts.push({ id: idAfter(parts), sessionID, messageID: message.id, type: "text", text: String(block.tail), synthetic: true });
	}

	/** Puts the prefix into the system prompt, but not where a title or a summary is asked for. */
	function system({ sessionID }, { system }) {
		const s = sessions.get(sessionID);
		if (!s?.prefix || s.compaction || system[0]?.startsWith("You are a title generator")) return;
		system.push(`<memory>\n${s.prefix}\n</memory>`);
	}

	/** A compaction begins; opencode shows the messages that it summarises next. */
	function compacting({ sessionID }) {
		Object.assign(session(sessionID), { compaction: randomBytes(8).toString("hex"), told: false, summary: "" });
	}

	async function messages(_, { messages }) {
		const s = sessions.get(messages[0]?.info?.sessionID);
		if (!s) return;
		if (!s.compaction) s.context = transcript ? messages : [];
		if (!s.compaction || s.told) return;
		s.told = true;
		try {
			heed(await child.call("compact", turn("before_compact", s, { compaction: s.compaction, dropped: messagesOf(messages) }), LIMIT.compact));
		} catch (err) {
			if (err.kind !== "late") throw err; // late: it is being written all the same
		}
	}

	function wrote({ sessionID }, { text }) {
		const s = session(sessionID);
		if (s.compaction) s.summary = text;
		else s.answer.push(text);
	}

	function toolBegins({ tool, sessionID, callID }, { args }) {
		session(sessionID).tools.set(callID, useOf(tool, args ?? {}));
	}

	/** Not called for a tool that failed. */
	function toolEnds({ sessionID, callID }, output) {
		const s = session(sessionID);
		const use = s.tools.get(callID);
		if (use && !output?.isError && !output?.metadata?.exit) use.error = undefined; // exit: of a shell
		const ids = (output?.content ?? []).flatMap((part) => part?._meta?.[IDS] ?? []);
		if (ids.length) post("tool_used", s, { in_context: ids });
	}

	function event({ event: { type, properties } }) {
		if (type === "session.created") session(properties.info.id).kin = properties.info;
		const s = sessions.get(properties?.sessionID ?? properties?.info?.id);
		if (!s) return;
		if (type === "session.compacted" && s.compaction) {
			post("after_compact", s, { compaction: s.compaction, summary: s.summary });
			s.compaction = "";
		}
		if (type === "session.idle") turnEnds(s);
		if (type === "session.deleted") {
			ends(s, "deleted");
			sessions.delete(s.id);
		}
	}

	function turnEnds(s) {
		const used = [...s.tools.values()];
		const edited = new Set(used.filter((use) => use.path && !use.error && WRITERS.has(use.name)).map((use) => use.path));
		const answer = bothEnds(s.answer.join("\n\n"), MAX.answer);
		post("turn_end", s, { prompt: bothEnds(s.asked.join("\n\n"), MAX.message), answer, tools: used.slice(-MAX.tools), edited: [...edited].slice(-MAX.edited) });
		if (s.context.length) s.context = [...s.context, { info: { role: "assistant" }, parts: [{ type: "text", text: answer }] }];
		Object.assign(s, { asked: [], answer: [], tools: new Map(), compaction: "" });
	}

	async function ends(s, reason) {
		if (s.begun) await post("session_end", s, { reason, dropped: messagesOf(s.context) });
	}

	async function dispose() {
		over = true;
		await child.stop(() => Promise.all([...sessions.values()].map((s) => ends(s, "quit"))));
	}

	return {
		config: guard(config),
		event: guard(event),
		"chat.message": guard(prompt),
		"experimental.chat.system.transform": guard(system),
		"experimental.session.compacting": guard(compacting),
		"experimental.chat.messages.transform": guard(messages),
		"experimental.text.complete": guard(wrote),
		"tool.execute.before": guard(toolBegins),
		"tool.execute.after": guard(toolEnds),
		dispose: guard(dispose),
	};
};

/**
 * The pipe to `pimento rpc`: one JSON object a line in both directions. It never
 * keeps opencode alive, and nobody holds opencode up for it without a limit.
 */
class Child {
	waiting = new Map();
	nextId = 1;
	starts = 0;
	lates = 0; // in a row
	answered = false; // this process, at least once

	constructor(hello) {
		this.hello = hello;
	}

	/** Starts the process if need be and answers with its reply to hello, whenever that comes. */
	async greet() {
		this.start();
		return this.greeted;
	}

	/** Sends one request and waits for the reply, at most ms if that is given. It is not ok when the request was refused. */
	async call(op, body, ms) {
		this.start();
		const { id, reply } = this.send(op, body);
		if (!ms) return reply;
		try {
			return await within(reply, ms);
		} catch (err) {
			this.waiting.delete(id); // a late answer is dropped
			if (err.kind === "late" && ++this.lates >= MAX_LATE) this.lose(new Trouble("gone", "the memory process stopped answering"));
			throw err;
		}
	}

	/** Nothing is started or sent from now on. */
	close(why) {
		this.closed = why;
		return this.lose(why);
	}

	/** A process that works finishes what it has begun and ends when its input does; one that has not been answering is ended here. */
	async stop(goodbye) {
		const { proc } = this;
		if (proc && this.answered && this.lates === 0) {
			await within(goodbye(), LIMIT.goodbye).catch(() => {});
			proc.stdin.end();
			this.proc = undefined;
		}
		this.close(new Trouble("off", "opencode has ended"));
	}

	start() {
		if (this.closed) throw this.closed;
		if (this.proc) return;
		if (this.starts++ > MAX_RESTARTS) throw this.close(new Trouble("off", "the memory process stopped too often; memory is off"));
		this.program = findProgram();
		if (!this.program) throw this.close(new Trouble("missing", "the program is not installed"));
		this.lates = 0;
		this.answered = false;
		const proc = spawn(this.program, ["rpc"], { cwd: this.hello.cwd, stdio: ["pipe", "pipe", "ignore"], windowsHide: true });
		this.proc = proc;
		const gone = () => this.proc === proc && this.lose(new Trouble("gone", "the memory process stopped"));
		let rest = "";
		const read = (chunk) => {
			const lines = (rest + chunk).split("\n");
			rest = lines.pop();
			for (const line of lines) this.receive(line);
			if (rest.length > MAX_UNBROKEN) gone();
		};
		proc.on("error", gone).on("exit", gone);
		proc.stdin.on("error", gone);
		proc.stdout.setEncoding("utf8").on("error", gone).on("close", gone).on("data", read);
		for (const handle of [proc, proc.stdin, proc.stdout]) handle.unref?.();
		this.greeted = this.send("hello", this.hello).reply;
		this.greeted.catch(() => {});
	}

	receive(line) {
		try {
			const reply = JSON.parse(line);
			const waiter = this.waiting.get(reply.id);
			this.waiting.delete(reply.id);
			if (!waiter) return;
			this.lates = 0;
			this.answered = true;
			waiter.resolve(reply);
		} catch {
			// not ours: a stray print must not cost the session
		}
	}

	send(op, body) {
		const id = this.nextId++;
		const line = JSON.stringify({ id, op, v: PROTOCOL, ...body });
		const reply = new Promise((resolve, reject) => {
			if (Buffer.byteLength(line) > MAX.line) return reject(new Trouble("refused", "the request is too long"));
			this.waiting.set(id, { resolve, reject });
			this.proc.stdin.write(`${line}\n`);
		});
		return { id, reply };
	}

	/** Ends the process, if it has not ended, and tells everybody who waits why. */
	lose(why) {
		this.proc?.kill("SIGKILL");
		this.proc = undefined;
		for (const { reject } of this.waiting.values()) reject(why);
		this.waiting.clear();
		return why;
	}
}

/** The copy of this plugin that works for a directory; opencode loads the user's and the project's. */
function holder(directory) {
	const all = (globalThis[Symbol.for("pimento.opencode")] ??= new Map());
	if (!all.has(directory)) all.set(directory, import.meta.url);
	return all.get(directory);
}

/** $PIMENTO_BIN, else the program that installed this plugin, else on PATH, else where Go or the user's own bin keeps it. */
function findProgram() {
	const { env } = process;
	if (env.PIMENTO_BIN) return [env.PIMENTO_BIN].find(runnable);
	const home = env.HOME || homedir();
	const exe = process.platform === "win32" ? "pimento.exe" : "pimento";
	const dirs = [...(env.PATH ?? "").split(delimiter), join(home, "go", "bin"), join(home, ".local", "bin")];
	// A relative entry of PATH means the working directory, which may be anybody's repository.
	return [programOfSetup(), ...dirs.filter((dir) => isAbsolute(dir)).map((dir) => join(dir, exe))].find(runnable);
}

function programOfSetup() {
	try {
		return JSON.parse(readFileSync(new URL("./pimento.json", import.meta.url), "utf8")).program;
	} catch {
		return undefined;
	}
}

function runnable(file) {
	try {
		accessSync(file, constants.X_OK);
		return statSync(file).isFile();
	} catch {
		return false;
	}
}

/** The limit of one prompt in ms. */
function deadline() {
	const ms = Number.parseInt(process.env.PIMENTO_DEADLINE_MS ?? "", 10);
	return ms > 0 ? ms : 300;
}

/** The promise's outcome, or a Trouble "late" after ms. */
function within(promise, ms) {
	return new Promise((resolve, reject) => {
		const timer = setTimeout(() => reject(new Trouble("late", `no answer within ${ms} ms`)), ms);
		promise.then(resolve, reject).finally(() => clearTimeout(timer));
	});
}

/** What somebody wrote: not what opencode or a plugin, as this one, put beside it. */
function textOf(parts) {
	const texts = parts.filter((part) => part.type === "text" && !part.synthetic && !part.ignored);
	return unquoted(texts.map((part) => part.text).join("\n").trim());
}

/** `opencode run` puts an argument of several words into quotes that nobody wrote. */
function unquoted(text) {
	return process.argv.find((arg) => text === `"${arg.replace(/"/g, '\\"')}"`) ?? text;
}

/** The id of a part that stands behind these: opencode sorts by ids, which begin with a time. */
function idAfter(parts) {
	const last = parts.map((part) => String(part.id ?? "")).sort().at(-1);
	const stamp = /^prt_([0-9a-f]{12})/.exec(last)?.[1];
	const next = stamp ? BigInt(`0x${stamp}`) + 1n : BigInt(Date.now()) * 0x1000n;
	return `prt_${(next & 0xffffffffffffn).toString(16).padStart(12, "0")}${randomBytes(7).toString("hex")}`;
}

/** One call of a tool, which has failed until it is known to have ended. What it answers is not sent: it may hold anything. */
function useOf(name, args) {
	const path = args.filePath ?? args.path;
	return {
		name: String(name).slice(0, 64),
		args: createHash("sha256").update(JSON.stringify(args)).digest("hex").slice(0, 16),
		path: typeof path === "string" && path.length <= 1000 ? path : undefined,
		command: typeof args.command === "string" ? args.command.slice(0, 300) : undefined,
		error: true,
	};
}

/** The latest messages, as far as they fit. */
function messagesOf(all) {
	const found = [];
	let room = MAX.dropped;
	for (const { info, parts } of all.slice(-MAX.messages).reverse()) {
		const tools = parts.filter((part) => part.type === "tool").map((part) => ({ role: "tool", tool: String(part.tool).slice(0, 64) }));
		const text = bothEnds(textOf(parts), MAX.message);
		room -= text.length;
		if (room < 0) break;
		found.push(...tools, ...(text ? [{ role: info.summary === true ? "summary" : info.role, text }] : []));
	}
	return found.length ? found.reverse() : undefined;
}

/** `opencode run TEXT` puts what is piped in behind TEXT, on a line of its own. TEXT alone was typed. */
function apart(text) {
	const end = text.indexOf("\n");
	const piped = process.argv[2] === "run" && !process.stdin.isTTY && end >= 0;
	return piped ? `${text.slice(0, end)}\n\n<stdin>\n${text.slice(end + 1)}\n</stdin>` : text;
}

function bothEnds(text, max) {
	return text.length <= max ? text : `${text.slice(0, max / 2)}\n${text.slice(-max / 2)}`;
}
