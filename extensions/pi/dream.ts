// Dreams: upkeep that goes through memory between sessions. One that comes by
// itself runs in a process of its own, which outlives pi and decides itself
// whether there is anything to do; here is only told when.

import { spawn } from "node:child_process";
import type { ExtensionContext } from "@earendil-works/pi-coding-agent";

const HOUR = 3_600_000;

/** The clock of one session's dreams. Off until the program says how many hours lie between two. */
export class Dreams {
	private timer?: NodeJS.Timeout;
	private hours = 0;
	private readonly program: () => string | undefined;

	constructor(program: () => string | undefined) {
		this.program = program;
	}

	/** Takes the hours that a reply carries; undefined changes nothing, 0 stops the clock. */
	every(hours: unknown, ctx: ExtensionContext): void {
		if (typeof hours !== "number" || hours === this.hours) return;
		this.stop();
		if (!(hours > 0) || !lives(ctx)) return;
		this.hours = hours;
		// Node takes a longer delay for none at all.
		this.timer = setInterval(() => this.apart(ctx.cwd), Math.min(hours * HOUR, 24 * HOUR));
		this.timer.unref();
	}

	/** The session is over. Whoever ended pi itself gets a last dream. */
	end(reason: string | undefined, ctx: ExtensionContext): void {
		const due = this.hours > 0 && reason === "quit";
		this.stop();
		if (due) this.apart(ctx.cwd);
	}

	private stop(): void {
		clearInterval(this.timer);
		this.hours = 0;
	}

	private apart(cwd: string): void {
		const program = this.program();
		if (!program) return;
		const child = spawn(program, ["dream", "--auto"], { cwd, detached: true, stdio: "ignore", windowsHide: true });
		child.on("error", () => {}); // it was a dream
		child.unref();
	}
}

/** The pi that has started the one that this runs in, by the pid that it left to its children. */
const MARK = "PIMENTO_STARTED_BY_PI";

/**
 * Whether this pi was started by another one, for a subagent or out of its shell. Its
 * mark stays, so that a reload in this process does not take it for the first.
 */
function startedByAgent(): boolean {
	const by = process.env[MARK];
	if (!by) process.env[MARK] = String(process.pid);
	return (!!by && by !== String(process.pid)) || !!process.env.PI_SESSION_ID;
}

const started = startedByAgent();

/**
 * No person wrote the prompt: an extension sent it, a program reads the answer, or another
 * agent has started pi. Where a person is there, it is theirs whoever has started pi.
 */
export function byAgent(source: string | undefined, ctx: ExtensionContext): boolean {
	if (source === "extension" || (ctx as { mode?: string }).mode === "json") return true;
	return started && !attended(ctx);
}

/** A person is there: not print or json mode, in which other programs, subagents among them, run pi. */
export function attended(ctx: ExtensionContext): boolean {
	const mode = (ctx as { mode?: string }).mode;
	return ctx.hasUI && mode !== "print" && mode !== "json";
}

function lives(ctx: ExtensionContext): boolean {
	return attended(ctx) && ctx.isProjectTrusted?.() !== false;
}
