// What goes beside prompts, from the child's answer until it stands in the
// session. pi takes a message only between two turns, and until it has, neither
// the session's branch nor the model knows of it.

import { arrived } from "./branch.ts";

/** What goes beside a prompt, and what it holds. */
export interface Tail {
	content: string;
	details: { ids: string[]; trace?: string };
}

/** The tails of one session. None is lost: what pi could not take in one run goes before the next. */
export class Tails {
	private coming: Tail[] = []; // all that are not in the session yet
	private held: Tail[] = []; // of these, what pi gets when the agent has finished: they go before follow-ups
	private kept: Tail[] = []; // and what it gets when the next run begins
	private readonly give: (tail: Tail) => void;

	/** give hands a tail to pi, which appends it to the session as soon as it can. */
	constructor(give: (tail: Tail) => void) {
		this.give = give;
	}

	/** Notes a tail as on its way; who has asked for it hands it over. */
	expect(tail: Tail): void {
		this.coming.push(tail);
	}

	/** Keeps a tail until flush, or longer: until begin. */
	hold(tail: Tail, longer: boolean): void {
		(longer ? this.kept : this.held).push(tail);
	}

	/** Gives pi what was held. */
	flush(): void {
		for (const tail of this.held.splice(0)) this.give(tail);
	}

	/** A new run: what an earlier one held goes before it, and what it did not take by now never comes. */
	begin(): void {
		this.held.push(...this.kept.splice(0));
		this.coming = [...this.held];
		this.flush();
	}

	/** The ids of what is on its way. What has arrived is no business of ours: a compaction may have taken it out again. */
	ids(manager: unknown): string[] {
		if (this.coming.length) this.coming = this.coming.filter((tail) => !arrived(manager, tail.details));
		return this.coming.flatMap((tail) => tail.details.ids);
	}
}
