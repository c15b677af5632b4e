// What a run and a compaction leave behind: the answer's text, which tools were
// used on which files, and the messages that are about to leave the context.
// What a tool answered is not sent: it may hold anything, and nothing here needs it.

import { createHash } from "node:crypto";

/** Limits as in turn.go, in characters; a request must stay below a megabyte even when escaped. */
const MAX = { answer: 60_000, tools: 100, edited: 10, messages: 400, message: 8_000, dropped: 100_000, summary: 15_000 };

// biome-ignore lint/suspicious/noExplicitAny: pi's messages differ between its versions
type Any = any;

export interface ToolUse {
	name: string;
	args: string;
	path?: string;
	command?: string;
	error?: boolean;
}

export interface Message {
	role: string;
	text?: string;
	tool?: string;
}

/** `pi -p TEXT` glues what is piped in to TEXT, with nothing between. Of such a prompt TEXT alone was typed. */
export function apart(prompt: string, argv: readonly string[]): string {
	if (argv.includes(prompt)) return prompt;
	const ends = argv.filter((arg) => prompt.endsWith(arg));
	const typed = ends.reduce((longest, arg) => (arg.length > longest.length ? arg : longest), ""); // others may end like it
	return typed ? `<stdin>\n${prompt.slice(0, -typed.length)}\n</stdin>\n${typed}` : prompt;
}

/** What the agent said and did in the messages of one run. */
export function endOf(messages: unknown): { prompt?: string; answer?: string; tools?: ToolUse[]; edited?: string[] } {
	if (!Array.isArray(messages)) return {};
	const answer: string[] = [];
	const asked: string[] = [];
	const tools = new Map<string, ToolUse>();
	for (const message of messages) {
		if (message?.role === "assistant") {
			const said = textOf(message.content);
			if (said) answer.push(said);
			for (const part of partsOf(message.content)) if (part?.type === "toolCall") tools.set(String(part.id), useOf(part));
		} else if (message?.role === "user") {
			asked.push(textOf(message.content));
		} else if (message?.role === "toolResult" && message.isError) {
			const use = tools.get(String(message.toolCallId));
			if (use) use.error = true;
		}
	}
	const used = [...tools.values()];
	const edited = new Set(used.filter((use) => WRITERS.has(use.name) && !use.error).map((use) => use.path ?? ""));
	edited.delete("");
	return {
		prompt: ends(asked.join("\n\n"), MAX.message) || undefined, // what the answer repeats of it proves nothing
		answer: ends(answer.join("\n\n"), MAX.answer) || undefined,
		tools: some(used.slice(-MAX.tools)),
		edited: some([...edited].slice(-MAX.edited)),
	};
}

/** Both message arrays of a compaction: when one user turn is split, what is dropped is in the second. */
export function droppedBy(preparation: unknown): { dropped?: Message[]; split_turn?: Message[] } {
	const { messagesToSummarize, turnPrefixMessages } = (preparation ?? {}) as Any;
	return { dropped: some(messagesOf(messagesToSummarize)), split_turn: some(messagesOf(turnPrefixMessages)) };
}

/** The text that stands in the context in place of what was dropped. */
export function summaryOf(entry: unknown): string | undefined {
	const { summary } = (entry ?? {}) as Any;
	return typeof summary === "string" && summary ? ends(summary, MAX.summary) : undefined;
}

const WRITERS = new Set(["edit", "write"]);

function useOf(call: Any): ToolUse {
	const args = call.arguments ?? {};
	const path = args.path ?? args.file_path;
	return {
		name: String(call.name ?? "").slice(0, 64),
		args: createHash("sha256").update(JSON.stringify(args)).digest("hex").slice(0, 16),
		path: typeof path === "string" && path.length <= 1000 ? path : undefined,
		command: typeof args.command === "string" ? args.command.slice(0, 300) : undefined,
	};
}

/** The latest messages, as far as they fit. */
function messagesOf(all: unknown): Message[] {
	const found: Message[] = [];
	let room = MAX.dropped / 2;
	for (const message of Array.isArray(all) ? all.slice(-MAX.messages).reverse() : []) {
		const one = messageOf(message);
		if (!one) continue;
		room -= one.text?.length ?? 0;
		if (room < 0) break;
		found.push(one);
	}
	return found.reverse();
}

function messageOf(message: Any): Message | undefined {
	switch (message?.role) {
		case "user":
		case "assistant": {
			const text = ends(textOf(message.content), MAX.message);
			return text ? { role: message.role, text } : undefined;
		}
		case "toolResult":
			return { role: "tool", tool: String(message.toolName ?? "").slice(0, 64) };
		case "compactionSummary":
		case "branchSummary":
			return { role: "summary", text: ends(String(message.summary ?? ""), MAX.message) };
		default:
			return undefined; // system texts, and messages of extensions: ours carry memory, which is no news
	}
}

function partsOf(content: unknown): Any[] {
	return Array.isArray(content) ? content : [];
}

function textOf(content: unknown): string {
	if (typeof content === "string") return content.trim();
	const texts = partsOf(content).filter((part) => part?.type === "text" && typeof part.text === "string");
	return texts
		.map((part) => part.text)
		.join("\n")
		.trim();
}

function some<T>(list: T[]): T[] | undefined {
	return list.length ? list : undefined;
}

/** Both ends of a text that is too long. */
function ends(text: string, max: number): string {
	return text.length <= max ? text : `${text.slice(0, max / 2)}\n${text.slice(-max / 2)}`;
}
