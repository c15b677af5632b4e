// The pipe to `pimento rpc`: one JSON object a line in both directions.
//
// The child is started when it is first needed and again, at most three times a
// session, after it died or stopped answering. It never keeps pi alive: every
// handle is unreferenced, and while somebody waits for an answer the timer of
// that wait is what holds the event loop. Nobody ever waits without a limit.

import { type ChildProcess, spawn } from "node:child_process";
import { accessSync, constants, readFileSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, isAbsolute, join } from "node:path";

export const PROTOCOL = 1;

/** Longer lines are not sent. */
const MAX_LINE = 1_000_000;
/** A child that sends so much without a line break is no child of ours. */
const MAX_UNBROKEN = 8_000_000;
const MAX_PROMPT = 200_000;
const MAX_RESTARTS = 3;
const MAX_LATE = 3;

/** Why there is no answer. The kind "off" lasts for the session. */
export class Trouble extends Error {
	readonly kind: "missing" | "off" | "late" | "gone" | "refused" | "aborted";

	constructor(kind: Trouble["kind"], message: string) {
		super(message);
		this.kind = kind;
	}
}

export interface Reply {
	id: number;
	ok: boolean;
	error?: { kind?: string; message?: string; hint?: string };
	// biome-ignore lint/suspicious/noExplicitAny: each operation has its own fields
	[field: string]: any;
}

interface Waiter {
	resolve(reply: Reply): void;
	reject(trouble: Trouble): void;
}

/**
 * The program: $PIMENTO_BIN, else the one that installed this extension, else on
 * PATH, else where Go or the user's own bin keeps it.
 */
export function findProgram(): string | undefined {
	const { env } = process;
	if (env.PIMENTO_BIN) return runnable(env.PIMENTO_BIN) ? env.PIMENTO_BIN : undefined;
	const installer = programOfSetup();
	if (installer && runnable(installer)) return installer;
	const exe = process.platform === "win32" ? "pimento.exe" : "pimento";
	// A relative entry of PATH means the working directory, which may be anybody's repository.
	const dirs = (env.PATH ?? "").split(delimiter).filter((dir) => isAbsolute(dir));
	const home = env.HOME || homedir();
	for (const dir of [...dirs, join(home, "go", "bin"), join(home, ".local", "bin")]) {
		const file = join(dir, exe);
		if (runnable(file)) return file;
	}
	return undefined;
}

/** What `pimento setup pi` wrote beside this file. */
function programOfSetup(): string | undefined {
	try {
		const { program } = JSON.parse(readFileSync(new URL("./pimento.json", import.meta.url), "utf8"));
		return typeof program === "string" ? program : undefined;
	} catch {
		return undefined;
	}
}

function runnable(file: string): boolean {
	try {
		accessSync(file, constants.X_OK);
		return statSync(file).isFile();
	} catch {
		return false;
	}
}

export class Child {
	private proc?: ChildProcess;
	private readonly waiting = new Map<number, Waiter>();
	private nextId = 1;
	private starts = 0;
	private lates = 0; // in a row
	private answered = false; // this child, at least once
	private closed?: Trouble;
	private readonly hello: () => object;
	private greeted: Promise<Reply> = Promise.reject(new Trouble("gone", "not started"));

	/** hello gives the body of the first request of every started child. */
	constructor(hello: () => object) {
		this.hello = hello;
		this.greeted.catch(() => {});
	}

	/** Starts the child if need be and answers with its reply to hello, whenever that comes. */
	async greet(): Promise<Reply> {
		this.start();
		return this.greeted;
	}

	/** Sends one request and waits at most ms for the reply, which is not ok when the child refused. */
	call(op: string, body: object, ms: number, signal?: AbortSignal): Promise<Reply> {
		return this.wait(this.post(op, body), ms, signal);
	}

	/** Sends one request for whose reply nobody holds up pi. */
	async post(op: string, body: object): Promise<Reply> {
		this.start();
		return this.send(op, body);
	}

	/** Waits at most ms for a reply, which may come later all the same. A signal ends the wait, not what was asked. */
	async wait(reply: Promise<Reply>, ms: number, signal?: AbortSignal): Promise<Reply> {
		try {
			return await within(reply, ms, signal);
		} catch (err) {
			if (err instanceof Trouble && err.kind === "late" && ++this.lates >= MAX_LATE) this.kill();
			throw err;
		}
	}

	/** Nothing is started or sent from now on, and everybody who waits is told why. A child ends when its input does. */
	close(why: Trouble): void {
		this.closed = why;
		const proc = this.proc;
		this.drop(why);
		proc?.stdin?.end();
	}

	/**
	 * Says goodbye: last is sent when a child runs, and pi waits at most ms for its
	 * answer. A child that works finishes what it has begun and ends when its
	 * input does; one that has not been answering is ended here.
	 */
	async stop(op: string, last: object, ms: number): Promise<void> {
		const proc = this.proc;
		if (!proc) return this.close(new Trouble("off", "the session is over"));
		const works = this.answered && this.lates === 0;
		const goodbye = this.send(op, last);
		this.send("shutdown", {}).catch(() => {});
		await within(goodbye, ms).catch(() => {});
		this.close(new Trouble("off", "the session is over"));
		if (!works) proc.kill("SIGKILL");
	}

	private start(): void {
		if (this.closed) throw this.closed;
		if (this.proc) return;
		if (this.starts > MAX_RESTARTS) {
			this.close(new Trouble("off", "the memory process stopped too often; memory is off for this session"));
			throw this.closed;
		}
		const program = findProgram();
		if (!program) throw new Trouble("missing", "the program is not installed"); // yet
		this.starts++;
		this.lates = 0;
		this.answered = false;
		const proc = spawn(program, ["rpc"], {
			stdio: ["pipe", "pipe", process.env.PIMENTO_DEBUG ? "inherit" : "ignore"],
			windowsHide: true,
		});
		this.proc = proc;
		const gone = () => {
			if (this.proc === proc) this.drop(new Trouble("gone", "the memory process stopped"));
		};
		proc.on("error", gone).on("exit", gone);
		proc.stdin?.on("error", gone);
		proc.stdout?.on("error", gone).on("close", gone);
		this.listen(proc);
		for (const handle of [proc, proc.stdin, proc.stdout]) (handle as { unref?(): void } | null)?.unref?.();
		this.greeted = this.send("hello", this.hello());
		this.greeted.catch(() => {});
	}

	private listen(proc: ChildProcess): void {
		let rest = "";
		proc.stdout?.setEncoding("utf8");
		proc.stdout?.on("data", (chunk: string) => {
			const lines = (rest + chunk).split("\n");
			rest = lines.pop() ?? "";
			for (const line of lines) this.receive(line);
			if (rest.length > MAX_UNBROKEN && this.proc === proc) this.kill();
		});
	}

	private receive(line: string): void {
		let reply: Reply;
		try {
			reply = JSON.parse(line);
		} catch {
			return; // not ours: a stray print must not cost the session
		}
		if (typeof reply !== "object" || reply === null) return;
		const waiter = this.waiting.get(reply.id);
		if (!waiter) return;
		this.waiting.delete(reply.id);
		this.lates = 0;
		this.answered = true;
		waiter.resolve(reply);
	}

	private send(op: string, body: object): Promise<Reply> {
		const id = this.nextId++;
		const line = encode({ id, op, v: PROTOCOL, ...body });
		return new Promise<Reply>((resolve, reject) => {
			if (line === undefined) return reject(new Trouble("refused", "the request is too long"));
			this.waiting.set(id, { resolve, reject });
			this.proc?.stdin?.write(`${line}\n`);
		});
	}

	private kill(): void {
		const proc = this.proc;
		this.drop(new Trouble("gone", "the memory process stopped answering"));
		proc?.kill("SIGKILL");
	}

	private drop(why: Trouble): void {
		this.proc = undefined;
		const waiters = [...this.waiting.values()];
		this.waiting.clear();
		for (const waiter of waiters) waiter.reject(why);
	}
}

/** One line of at most MAX_LINE bytes; a prompt that does not fit loses its middle, anything else is refused. */
// biome-ignore lint/suspicious/noExplicitAny: a request is any JSON object
function encode(request: any): string | undefined {
	const line = JSON.stringify(request);
	if (Buffer.byteLength(line) <= MAX_LINE) return line;
	// Escaping may multiply a prompt's length by six.
	const prompt = request.turn?.prompt;
	if (typeof prompt !== "string" || prompt.length < 2) return undefined;
	return encode({ ...request, turn: { ...request.turn, prompt: cut(prompt, Buffer.byteLength(prompt) >> 1) } });
}

/** The prompt as it is sent: at most 200 kB, of a longer one both ends, because one asks before or after what one pastes. */
export function cutPrompt(prompt: string): string {
	return Buffer.byteLength(prompt) <= MAX_PROMPT ? prompt : cut(prompt, MAX_PROMPT);
}

/** Both ends, cut between characters. */
function cut(text: string, bytes: number): string {
	const raw = Buffer.from(text);
	const within = (at: number) => (raw[at] & 0xc0) === 0x80;
	let end = bytes >> 1;
	let begin = raw.length - end;
	while (within(end)) end--;
	while (within(begin)) begin++;
	return raw.subarray(0, end).toString() + raw.subarray(begin).toString();
}

/** The promise's outcome, or a Trouble: "late" after ms, "aborted" by the signal. */
export function within<T>(promise: Promise<T>, ms: number, signal?: AbortSignal): Promise<T> {
	let done = () => {};
	const outcome = new Promise<T>((resolve, reject) => {
		const timer = setTimeout(() => reject(new Trouble("late", `no answer within ${ms} ms`)), ms);
		const abort = () => reject(new Trouble("aborted", "aborted before memory answered"));
		signal?.addEventListener("abort", abort);
		if (signal?.aborted) abort();
		promise.then(resolve, reject);
		done = () => {
			clearTimeout(timer);
			signal?.removeEventListener("abort", abort);
		};
	});
	return outcome.finally(done);
}
