// Pimento in pi: this file only carries pi's events to `pimento rpc` and the
// answers back. What is remembered and injected is decided there.
//
// The stable part of the memory becomes the section "memory" of the system
// prompt, the part for this prompt a hidden message beside it. If the program is
// missing, slow or dies, pi answers as if this extension were not there, and
// says so once. Nothing here may throw: pi does not start with an extension that
// throws while loading.

import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { ExtensionAPI, ExtensionContext } from "@earendil-works/pi-coding-agent";
import { idsInContext, MESSAGE, messagesInContext, parentOf } from "./branch.ts";
import { Child, cutPrompt, findProgram, PROTOCOL, type Reply, Trouble, within } from "./child.ts";
import { attended, byAgent, Dreams } from "./dream.ts";
import { apart, droppedBy, endOf, summaryOf } from "./stream.ts";
import { type Tail, Tails } from "./tails.ts";

/** The one command that installs the program: from the clone that this file is
 * in, if it is in one, else from a new one, because that needs no release. */
function install(): string {
	try {
		const clone = fileURLToPath(new URL("../..", import.meta.url));
		if (existsSync(`${clone}cmd/pimento/main.go`)) return `go install -C ${JSON.stringify(clone)} ./cmd/pimento`;
	} catch {
		// not a file: fall through
	}
	return "git clone https://github.com/pimento-memory/pimento && go install -C pimento ./cmd/pimento";
}

const SECTION = "memory";

/** How long pi may be held up, in ms. The prompt's own limit is deadline(). */
const LIMIT = { hello: 1000, compact: 2000, command: 15_000, tool: 15_000, dream: 1_800_000, goodbye: 300 };

const COMMANDS: Record<string, string> = {
	status: "what is remembered, and where",
	on: "memory on for this session",
	off: "silence memory for this session",
	refresh: "take the stable part anew",
	trust: "let this project's memory reach the model",
	untrust: "take that back",
	why: "what the last prompt got, and why; why ID for one entry",
	recall: "search: recall WORDS",
	remember: "write: remember TEXT; remember global TEXT, remember project TEXT",
	inbox: "what waits for your yes: inbox accept ID, edit ID TEXT, reject ID",
	dream: "go through memory and propose: dream, dream --apply, dream undo, dream last",
	"dream-auto": "dream by itself: dream-auto on, off",
	pages: "the pages, and what their entries are",
	read: "show one: read PAGE",
	stale: "what may be out of date",
	log: "what changed in memory, and by whom: log ID for one entry",
	traces: "the records of past prompts",
	trace: "one of them: trace ID",
	faults: "when memory let the agent down",
	verify: "bring the page table up to date",
	flush: "finish what a crash left half written",
	forget: "take one entry out: forget ID",
	restore: "bring it back: restore ID; alone: list what can be",
	edit: "change its text: edit ID TEXT",
	pin: "always keep one in front of the model: pin ID",
	unpin: "take that back: unpin ID",
	confirm: "it still holds: confirm ID",
	reinforce: "count it as said again: reinforce ID",
	purge: "take it out everywhere, for good: purge ID --yes",
	doctor: "look for trouble",
	help: "all of these",
};

const TRUST = "Yes, trust it";

/** What may follow some of them, with a word on each. */
const ARGUMENTS: Record<string, Record<string, string>> = {
	remember: { global: "for you, in every project", project: "in the repository, for the team" },
	inbox: { accept: "say yes: inbox accept ID", edit: "change its text: inbox edit ID TEXT", reject: "say no: inbox reject ID" },
	dream: { "--apply": "do what it proposes", undo: "take the last one back", last: "what the last one did" },
	"dream-auto": { on: "dream by itself", off: "only when asked" },
};

/** What pi was given to do, as it came. */
interface Input {
	text: string;
	source?: string;
}

interface ToolSpec {
	name: string;
	label?: string;
	description: string;
	parameters: Record<string, unknown>;
	snippet?: string;
	guidelines?: string[];
}

export default function pimento(pi: ExtensionAPI): void {
	if (process.env.PIMENTO_THINKING) return; // pi answers a question of ours: nothing to remember, nothing to ask again
	const first = claim();
	if (first === import.meta.url) new Session(pi).register();
	else pi.on("session_start", (_event, ctx) => warnTwice(ctx, first));
}

/**
 * The copy of this extension that works in this process. pi refuses to start
 * with two that register the same flag, which is what a person gets who ran both
 * `pimento setup pi` and `pi install`; so the second stands back.
 */
function claim(): string {
	const all = globalThis as { [key: symbol]: string | undefined };
	const key = Symbol.for("pimento.extension");
	const holder = all[key];
	if (holder && existsSync(pathOf(holder))) return holder; // a copy that was removed since holds nothing
	all[key] = import.meta.url;
	return import.meta.url;
}

function pathOf(url: string): string {
	try {
		return fileURLToPath(url);
	} catch {
		return url;
	}
}

let warned = false;

function warnTwice(ctx: ExtensionContext, first: string): void {
	if (warned) return;
	warned = true;
	show(ctx, `pimento: installed twice; ${pathOf(first)} is used and ${pathOf(import.meta.url)} is not`, "warning");
}

/** One session of pi: the factory runs anew for each, so this holds its whole state. */
class Session {
	private id = "";
	private cwd = "";
	private parent = "";
	private version = "";
	private patience = 0; // ms, what the program says a prompt may take
	private skills: string[] = []; // files of the workflows that the profile offers
	private transcript = false; // the end of the session shall bring along what was said
	private inputs: Input[] = []; // what came since the latest run began
	private foreign = false; // something that this run was asked is nobody's wish
	private prefix = ""; // the last one known; it must not vanish when one call fails
	private systemTokens = 0; // of the latest prompt
	private keptFrom?: string; // the first entry that the compaction being made keeps
	private asking: Promise<unknown> = Promise.resolve(); // the latest prompt's question
	private readonly tails = new Tails((tail) => this.append(tail));
	private readonly tools = new Map<string, string>(); // their specs by their names
	private readonly commands = new Set<string>();
	private readonly said = new Set<string>();
	private readonly asked = new Set<string>();
	private readonly over = new AbortController();
	private readonly child = new Child(() => this.greeting());
	private readonly dreams = new Dreams(findProgram);

	private readonly pi: ExtensionAPI;

	constructor(pi: ExtensionAPI) {
		this.pi = pi;
	}

	register(): void {
		const { pi } = this;
		pi.registerFlag("no-memory", { type: "boolean", description: "Run without long-term memory (pimento)" });
		pi.registerCommand("memory", {
			description: "Long-term memory: status, on, off, refresh, trust, why, recall, remember",
			getArgumentCompletions: complete,
			handler: (args, ctx) => this.guard(ctx, () => this.command(args, ctx)),
		});
		pi.on("session_start", (event, ctx) => this.guard(ctx, () => this.start(event, ctx)));
		pi.on("resources_discover", () => ({ skillPaths: this.skills }));
		pi.on("input", (event, ctx) => {
			const { text, source, streamingBehavior } = event;
			const queued = streamingBehavior ?? (ctx.isIdle() ? undefined : "untold"); // pi 0.74 does not tell
			if (queued) return this.guard(ctx, () => this.queued({ text, source }, queued, ctx));
			this.inputs.push({ text, source });
		});
		pi.on("message_end", (event) => this.release(event.message));
		pi.on("before_agent_start", (event, ctx) => this.guard(ctx, () => this.prompt(event, ctx)));
		pi.on("agent_end", (event, ctx) => this.guard(ctx, () => this.turnEnd(event, ctx)));
		pi.on("session_before_compact", (event, ctx) => this.guard(ctx, () => this.beforeCompact(event, ctx)));
		pi.on("session_compact", (event, ctx) => this.guard(ctx, () => this.afterCompact(event, ctx)));
		pi.on("session_compact_failed", () => {
			this.keptFrom = undefined;
		});
		pi.on("session_shutdown", (event, ctx) => this.guard(ctx, () => this.end(event, ctx)));
	}

	// pi 1.x fires session_start twice after new_session, with the same session id.
	private async start(event: { reason?: string; previousSessionFile?: string }, ctx: ExtensionContext): Promise<void> {
		const id = ctx.sessionManager.getSessionId();
		if (this.id === id) return;
		this.id = id;
		this.cwd = ctx.cwd;
		this.prefix = "";
		this.parent = parentOf(ctx.sessionManager, event.reason, event.previousSessionFile);
		this.version = await piVersion();
		await this.meet(ctx);
		const turn = { ...this.turn("session_start", ctx), reason: event.reason, system_tokens: systemTokens(ctx) };
		this.child.post("turn", { turn }).then(
			(reply) => this.guard(ctx, () => this.heed(reply, ctx)),
			() => {}, // the first prompt says it
		);
	}

	/** Learns which tools there are. pi must know them before its first request. */
	private async meet(ctx: ExtensionContext): Promise<void> {
		try {
			this.accept(await within(this.child.greet(), Math.max(LIMIT.hello, deadline())), ctx);
		} catch (err) {
			if (!(err instanceof Trouble) || err.kind === "missing" || err.kind === "off") return this.report(err, ctx);
			this.useTools(storedTools());
			if (err.kind === "late") this.child.greet().then((reply) => this.accept(reply, ctx)).catch(() => {});
		}
	}

	private accept(reply: Reply, ctx: ExtensionContext): void {
		if (reply.ok && reply.protocol === PROTOCOL) {
			this.patience = Number(reply.deadline_ms) || 0;
			if (this.off()) return;
			this.transcript = reply.transcript === true;
			this.useCommands(reply.commands ?? []);
			this.skills = skillFiles(reply.skills);
			this.dreams.every(reply.dream_hours, ctx);
			return this.useTools(reply.tools ?? []);
		}
		// Any other failure may be over by the next request.
		if (!reply.ok && reply.error?.kind !== "usage") {
			this.refused(reply, ctx);
			return this.useTools(storedTools());
		}
		const why = reply.ok
			? `this extension speaks protocol ${PROTOCOL} and the program ${reply.protocol}; update both`
			: [reply.error?.message, reply.error?.hint].filter(Boolean).join("; ");
		const trouble = new Trouble("off", `memory is off for this session: ${why}`);
		this.child.close(trouble);
		this.report(trouble, ctx);
	}

	private async prompt(
		event: { messageType?: string; prompt?: string; systemPrompt: string; systemPromptOptions?: unknown },
		ctx: ExtensionContext,
	) {
		let tail: Tail | undefined;
		this.tails.begin();
		this.keptFrom = undefined; // an old pi does not tell that a compaction failed
		// A message of another extension asks nothing, but the section must be set on every run.
		const typed = event.messageType !== "custom";
		this.foreign = !typed;
		if (typed || !this.prefix) {
			try {
				this.systemTokens = Math.ceil(event.systemPrompt.length / 4);
				const prompt = typed ? (event.prompt ?? "") : "";
				const [input, ...others] = typed ? this.begun(prompt) : [];
				const asked = this.ask(prompt, this.untyped(prompt, input, ctx), ctx);
				await Promise.all(others.map((other) => this.guard(ctx, () => this.queued(other, "steer", ctx))));
				tail = await asked;
			} catch (err) {
				this.report(err, ctx);
			}
		}
		const systemPrompt = this.place(event);
		const message = tail && { customType: MESSAGE, display: false, ...tail };
		return systemPrompt || message ? { message, systemPrompt } : undefined;
	}

	/** What the user types while the agent works comes without a before_agent_start. Its tail must go before it: pi
	 * appends one after the running turn, and delivers a steering message then, a follow-up after the last turn. A pi
	 * that does not tell the one from the other takes a message of ours for a question; it gets the tail with the next run. */
	private async queued(input: Input, how: "steer" | "followUp" | "untold", ctx: ExtensionContext): Promise<void> {
		const typed = this.typedIn(input.text);
		if (typed === undefined) {
			this.foreign = true;
			return;
		}
		const tail = await this.ask(typed, byAgent(input.source, ctx), ctx);
		if (!tail) return;
		if (how === "steer") this.append(tail);
		else this.tails.hold(tail, how === "untold");
	}

	/** Of what came since the latest run began, the input that pi made this prompt of, and what came with it: pi queues
	 * that without a word. What came earlier led to no run, but a "/" holds an input up until those behind it have come. */
	private begun(prompt: string): Input[] {
		const inputs = this.inputs.splice(0);
		const slashed = (input: Input) => input.text.startsWith("/");
		const mine = inputs.find((input) => input.text === prompt) ?? inputs.find(slashed) ?? inputs.at(-1);
		if (!mine) return [];
		return [mine, ...inputs.slice(slashed(mine) ? 0 : inputs.indexOf(mine)).filter((input) => input !== mine)];
	}

	/**
	 * What the user typed of a text that pi may yet make into another one: what stands
	 * behind a skill's name, of a template nothing. A path ("/tmp is full") names neither.
	 */
	private typedIn(text: string): string | undefined {
		const [start = "", name = ""] = /^\/(\S+)\s*/.exec(text) ?? [];
		if (!this.pi.getCommands().some((command) => command.name === name)) return text;
		return name.startsWith("skill:") ? text.slice(start.length) : undefined;
	}

	/** Nobody's wish: of another agent, or a template's text. Where a skill's ends the program knows. */
	private untyped(prompt: string, input: Input | undefined, ctx: ExtensionContext): boolean {
		const template = input?.text.startsWith("/") && prompt !== input.text && !prompt.startsWith("<skill ");
		return byAgent(input?.source, ctx) || template === true;
	}

	/** What was asked, as it is sent. */
	private sent(prompt: string, ctx: ExtensionContext): string | undefined {
		return cutPrompt(attended(ctx) ? prompt : apart(prompt, process.argv.slice(2))) || undefined;
	}

	private release(message: { role: string; content?: unknown }): void {
		const works = Array.isArray(message.content) && message.content.some((part) => part?.type === "toolCall");
		if (message.role !== "assistant" || works) return;
		this.tails.flush();
	}

	private append(tail: Tail): void {
		this.pi.sendMessage({ customType: MESSAGE, display: false, ...tail }, { triggerTurn: false });
	}

	/** Asks what goes beside a prompt, one after another: what one prompt is told the next one need not be. The time of
	 * one that waits for another runs meanwhile. */
	private ask(prompt: string, untyped: boolean, ctx: ExtensionContext): Promise<Tail | undefined> {
		this.foreign ||= untyped;
		const due = Date.now() + Math.max(deadline(), this.patience);
		const asked = this.asking.then(() => this.recall(prompt, untyped, due, ctx));
		this.asking = asked.catch(() => {});
		return asked;
	}

	private async recall(prompt: string, untyped: boolean, due: number, ctx: ExtensionContext): Promise<Tail | undefined> {
		const turn = {
			...this.turn("prompt", ctx),
			prompt: this.sent(prompt, ctx),
			by_agent: untyped || undefined,
			system_tokens: this.systemTokens,
		};
		const asked = this.child.post("turn", { turn });
		asked.then((reply) => this.guard(ctx, () => this.heed(reply, ctx)), () => {}); // a late one tells what was remembered, too
		const reply = await this.child.wait(asked, Math.max(due - Date.now(), 1));
		if (!reply.ok || !reply.block) return undefined;
		// "unavailable" with nothing in it says that memory failed, not that there is none.
		if (reply.block.prefix || reply.block.status !== "unavailable") this.prefix = String(reply.block.prefix ?? "");
		if (!reply.block.tail) return undefined;
		const tail = { content: String(reply.block.tail), details: { ids: reply.block.tail_ids ?? [], trace: reply.block.trace_id } };
		this.tails.expect(tail);
		return tail;
	}

	/** Puts the prefix into the system prompt. An old pi without sections gets the whole prompt back, and so does one where
	 * another extension returned a prompt of its own, which pi then takes as it is. */
	private place(event: { systemPrompt: string; systemPromptOptions?: unknown }): string | undefined {
		if (!this.prefix) return undefined;
		const options = event.systemPromptOptions as { sections?: Record<string, string>; forceSystemPrompt?: string } | undefined;
		const sections = options?.sections;
		if (!sections || options?.forceSystemPrompt !== undefined) return `${event.systemPrompt}\n\n<${SECTION}>\n${this.prefix}\n</${SECTION}>`;
		sections[SECTION] = this.prefix;
		return undefined;
	}

	private async beforeCompact(
		event: { preparation?: { firstKeptEntryId?: string; tokensBefore?: number }; reason?: string },
		ctx: ExtensionContext,
	): Promise<void> {
		const compaction = idOf(event.preparation);
		const turn = { ...this.turn("before_compact", ctx), reason: event.reason, compaction, ...droppedBy(event.preparation) };
		this.keptFrom = event.preparation?.firstKeptEntryId;
		try {
			this.refused(await this.child.call("compact", { turn }, LIMIT.compact), ctx);
		} catch (err) {
			if (kindOf(err) !== "late") this.report(err, ctx); // late: it is being written all the same
		}
	}

	private async afterCompact(
		event: { compactionEntry?: { firstKeptEntryId?: string; tokensBefore?: number }; reason?: string },
		ctx: ExtensionContext,
	): Promise<void> {
		this.keptFrom = undefined;
		const [compaction, summary] = [idOf(event.compactionEntry), summaryOf(event.compactionEntry)];
		const turn = { ...this.turn("after_compact", ctx), reason: event.reason, compaction, summary };
		// Waited for, so that a prompt that follows at once finds the new state.
		await this.child.call("turn", { turn }, deadline()).catch(() => {});
	}

	private async end(event: { reason?: string }, ctx: ExtensionContext): Promise<void> {
		this.over.abort();
		this.dreams.end(event.reason, ctx);
		const said = this.transcript && event.reason === "quit" ? messagesInContext(ctx.sessionManager) : undefined;
		const turn = { ...this.turn("session_end", ctx), reason: event.reason, ...droppedBy({ messagesToSummarize: said }) };
		await this.child.stop("turn", { turn }, LIMIT.goodbye);
	}

	private turnEnd(event: { messages?: unknown }, ctx: ExtensionContext): void {
		const end = endOf(event.messages);
		const turn = { ...this.turn("turn_end", ctx), ...end, prompt: this.sent(end.prompt ?? "", ctx), by_agent: this.foreign || undefined };
		this.child.post("turn", { turn }).catch(() => {}); // nobody waits for it
	}

	private async command(args: string, ctx: ExtensionContext): Promise<void> {
		const line = args.trim() || "status";
		const dreams = /^dream(\s+--apply)?$/.test(line); // undo and last are quick
		const asked = this.answer(line, dreams ? LIMIT.dream : LIMIT.command, ctx);
		// A dream may ask a model and take minutes. Nobody waits for it who can be told later.
		if (!dreams || !ctx.hasUI) return asked;
		show(ctx, "pimento: dreaming, it says when it is done");
		void this.guard(ctx, () => asked);
	}

	private async answer(args: string, ms: number, ctx: ExtensionContext): Promise<void> {
		try {
			const reply = await this.child.call("command", { args, ...this.where() }, ms);
			if (this.refused(reply, ctx)) return;
			if (reply.refresh) this.prefix = "";
			this.dreams.every(reply.dream_hours, ctx);
			if (reply.text) show(ctx, String(reply.text), reply.level);
		} catch (err) {
			if (this.over.signal.aborted) return; // it ended with the session
			this.said.delete(kindOf(err)); // asked directly, so answered again
			this.report(err, ctx);
		}
	}

	private useTools(specs: ToolSpec[]): void {
		if (this.off()) return;
		for (const spec of specs) if (this.tools.get(spec.name) !== JSON.stringify(spec)) this.registerTool(spec);
		// The list stored here may hold more than this profile has.
		const gone = [...this.tools.keys()].filter((name) => !specs.some((spec) => spec.name === name));
		if (gone.length) this.pi.setActiveTools(this.pi.getActiveTools().filter((name) => !gone.includes(name)));
		for (const name of gone) this.tools.delete(name);
	}

	/** Gives verbs of /memory a command of their own, as the profile says. */
	private useCommands(names: string[]): void {
		for (const name of names) {
			if (!COMMANDS[name] || this.commands.has(name)) continue;
			this.commands.add(name);
			this.pi.registerCommand(name, {
				description: `Long-term memory: ${COMMANDS[name]}`,
				handler: (args, ctx) => this.guard(ctx, () => this.command(`${name} ${args}`, ctx)),
			});
		}
	}

	private registerTool(spec: ToolSpec): void {
		this.pi.registerTool({
			name: spec.name,
			label: spec.label || spec.name,
			description: spec.description,
			promptSnippet: spec.snippet || undefined,
			promptGuidelines: spec.guidelines?.length ? spec.guidelines : undefined,
			parameters: spec.parameters, // pi takes any JSON Schema of an object
			execute: async (_id: string, args: unknown, signal?: AbortSignal) => {
				const reply = await this.child.call("tool", { name: spec.name, args, ...this.where() }, LIMIT.tool, signal);
				if (!reply.ok) throw new Error([reply.error?.message, reply.error?.hint].filter(Boolean).join("; "));
				if (reply.is_error) throw new Error(String(reply.text));
				return { content: [{ type: "text" as const, text: String(reply.text ?? "") }], details: reply.details ?? {} };
			},
		});
		this.tools.set(spec.name, JSON.stringify(spec));
	}

	/** Acts on what every answer to a turn may carry: a refusal, a line for the person, a question. */
	private heed(reply: Reply, ctx: ExtensionContext): void {
		if (this.refused(reply, ctx)) return;
		if (reply.notice) this.sayOnce(ctx, `notice ${reply.notice}`, String(reply.notice), "info");
		if (reply.consent?.needed) void this.guard(ctx, () => this.askConsent(reply.consent, ctx));
	}

	private async askConsent(consent: { project?: string; pages?: number; detail?: string }, ctx: ExtensionContext) {
		const project = consent.project || this.cwd;
		if (!ctx.hasUI || this.off() || this.asked.has(project)) return;
		this.asked.add(project);
		const pages = consent.pages === 1 ? "1 page" : `${consent.pages ?? "some"} pages`;
		const question = [
			"Trust this project's memory?",
			`${project} comes with ${pages} of memory that you have not approved.`,
			consent.detail,
			"If you trust it, what it says is put in front of the model. If not, it is left alone and not read.",
		];
		// Not confirm, whose first answer is yes: the question comes up while the person may be
		// typing, and the Enter at the end of their prompt must not agree to anything.
		const answer = await ctx.ui.select(question.filter(Boolean).join("\n"), ["No, leave it alone", TRUST], {
			signal: this.over.signal,
		});
		if (answer === TRUST) await this.command("trust", ctx);
	}

	private refused(reply: Reply, ctx: ExtensionContext): boolean {
		if (reply.ok) return false;
		const text = [reply.error?.message || "refused", reply.error?.hint].filter(Boolean).join("; ");
		this.sayOnce(ctx, `refused ${text}`, text, "warning");
		return true;
	}

	private report(err: unknown, ctx: ExtensionContext): void {
		const why = err instanceof Error ? err.message : String(err);
		const text: Record<string, string> = {
			missing: `the program is not installed, so there is no memory. Install it with: ${install()}`,
			late: "memory was too slow for this prompt and was left out",
			gone: "the memory process stopped; it is started again when it is next needed",
		};
		this.sayOnce(ctx, kindOf(err), text[kindOf(err)] ?? why, "warning");
	}

	private sayOnce(ctx: ExtensionContext, key: string, text: string, level: "info" | "warning"): void {
		if (this.off() || this.said.has(key)) return;
		this.said.add(key);
		show(ctx, `pimento: ${text}`, level);
	}

	private greeting(): object {
		return {
			protocol: { min: PROTOCOL, max: PROTOCOL },
			harness: "pi",
			harness_version: this.version,
			...this.where(),
		};
	}

	private where(): { session: string; cwd: string } {
		return { session: this.id, cwd: this.cwd };
	}

	private turn(event: string, ctx: ExtensionContext): object {
		const ids = idsInContext(ctx.sessionManager, this.tools, this.keptFrom);
		return {
			event,
			harness: "pi",
			...this.where(),
			parent: this.parent || undefined,
			in_context: ids && [...ids, ...this.tails.ids(ctx.sessionManager)],
			off: this.off() || undefined,
			main: attended(ctx) || undefined,
			// Only pi's "no" says something: a folder that it never asked about counts as trusted.
			untrusted: ctx.isProjectTrusted?.() === false || undefined,
		};
	}

	private off(): boolean {
		return this.pi.getFlag("no-memory") === true;
	}

	/** Runs a handler so that whatever goes wrong stays here. */
	private async guard<T>(ctx: ExtensionContext, run: () => T | Promise<T>): Promise<T | undefined> {
		try {
			return await run();
		} catch (err) {
			if (!this.over.signal.aborted) {
				try {
					this.report(err, ctx);
				} catch {
					// The session was replaced, and its ctx with it.
				}
			}
			return undefined;
		}
	}
}

/** The estimated size of the system prompt as it stands now; an old pi does not tell. */
function systemTokens(ctx: ExtensionContext): number | undefined {
	const text = ctx.getSystemPrompt?.();
	return text ? Math.ceil(text.length / 4) : undefined;
}

/** The limit of one prompt in ms. */
function deadline(): number {
	const ms = Number.parseInt(process.env.PIMENTO_DEADLINE_MS ?? "", 10);
	return ms > 0 ? ms : 300;
}

/** The same for both events of one compaction, and for an attempt that is repeated. */
function idOf(compaction?: { firstKeptEntryId?: string; tokensBefore?: number }): string {
	return `${compaction?.firstKeptEntryId ?? ""}:${compaction?.tokensBefore ?? ""}`;
}

function kindOf(err: unknown): string {
	return err instanceof Trouble ? err.kind : "error";
}

function complete(typed: string): { value: string; label: string; description: string }[] | null {
	const [, verb = "", rest] = /^(\S*) (.*)$/.exec(typed) ?? [];
	const words = rest === undefined ? COMMANDS : Object.hasOwn(ARGUMENTS, verb) ? ARGUMENTS[verb] : {};
	const found = Object.entries(words).filter(([word]) => word.startsWith(rest ?? typed));
	const whole = (word: string) => (rest === undefined ? word : `${verb} ${word}`);
	return found.length ? found.map(([word, description]) => ({ value: whole(word), label: word, description })) : null;
}

/** In print mode standard output belongs to the answer. */
function show(ctx: ExtensionContext, text: string, level: "info" | "warning" | "error" = "info"): void {
	if (ctx.hasUI) ctx.ui.notify(text, level);
	else console.error(text);
}

/** The default profile's tools, for a child that starts late. */
function storedTools(): ToolSpec[] {
	try {
		return JSON.parse(readFileSync(new URL("./tools.json", import.meta.url), "utf8"));
	} catch {
		return [];
	}
}

/** The files of the skills beside this one. */
function skillFiles(names: unknown): string[] {
	return (Array.isArray(names) ? names : [])
		.filter((name) => /^[a-z][a-z-]{0,40}$/.test(name))
		.map((name) => fileURLToPath(new URL(`./${name}.md`, import.meta.url)))
		.filter((file) => existsSync(file));
}

async function piVersion(): Promise<string> {
	try {
		return (await import("@earendil-works/pi-coding-agent")).VERSION ?? "";
	} catch {
		return "";
	}
}
