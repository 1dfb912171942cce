/**
 * Counts the steps in which a backtracking engine, such as V8's, searches a text: one for each
 * character that is compared. It knows only the syntax that the package's expressions need, and
 * throws for the rest.
 */
export function stepCounter(pattern: RegExp): (text: string) => number {
	const expression = new Expression(pattern);
	return (text) => expression.search(text);
}

/** Calls `next` with the end of each possible match in turn, until `next` accepts one. */
type Matcher = (at: number, next: (end: number) => boolean) => boolean;

class Expression {
	private steps = 0;

	private text = '';

	private position = 0;

	private readonly source: string;

	private readonly matcher: Matcher;

	constructor(private readonly pattern: RegExp) {
		this.source = pattern.source;
		this.matcher = this.alternatives();
		if (this.position < this.source.length) throw this.unknown();
	}

	search(text: string): number {
		this.text = text;
		this.steps = 0;
		for (let start = 0; start <= text.length; ) {
			const end = this.matchAt(start);
			if (end !== undefined && !this.pattern.global) break;
			start = Math.max(end ?? 0, start + 1);
		}
		return this.steps;
	}

	private matchAt(start: number): number | undefined {
		let found: number | undefined;
		this.matcher(start, (end) => {
			found = end;
			return true;
		});
		return found;
	}

	private alternatives(): Matcher {
		const options = [this.sequence()];
		while (this.skip('|')) options.push(this.sequence());
		return (at, next) => options.some((option) => option(at, next));
	}

	private sequence(): Matcher {
		const parts: Matcher[] = [];
		while (this.position < this.source.length && !'|)'.includes(this.peek())) {
			parts.push(this.quantified(this.atom()));
		}
		return parts.reduceRight<Matcher>(
			(rest, part) => (at, next) => part(at, (end) => rest(end, next)),
			(at, next) => next(at),
		);
	}

	private quantified(atom: Matcher): Matcher {
		const [least, most] = this.quantifier();
		if (least === 1 && most === 1) return atom;
		const isLazy = this.skip('?');
		const repeat =
			(count: number): Matcher =>
			(at, next) => {
				const more = () =>
					count < most && atom(at, (end) => end > at && repeat(count + 1)(end, next));
				const enough = () => count >= least && next(at);
				return isLazy ? enough() || more() : more() || enough();
			};
		return repeat(0);
	}

	private quantifier(): [number, number] {
		if (this.skip('*')) return [0, Infinity];
		if (this.skip('+')) return [1, Infinity];
		if (this.skip('?')) return [0, 1];
		const braces = /^\{(\d+)(,?)(\d*)\}/.exec(this.source.slice(this.position));
		if (!braces) return [1, 1];
		const [whole, least, comma, most] = braces;
		this.position += whole.length;
		return [Number(least), comma ? Number(most || Infinity) : Number(least)];
	}

	private atom(): Matcher {
		if (this.skip('(?:')) return this.closed(this.alternatives());
		if (this.skip('(?=')) {
			const ahead = this.closed(this.alternatives());
			return (at, next) => ahead(at, () => true) && next(at);
		}
		if (this.skip('(?')) throw this.unknown();
		if (this.skip('(')) return this.closed(this.alternatives());
		if (this.skip('^')) return this.step((at) => at === 0, 0);
		if (this.skip('$')) return this.step((at) => at === this.text.length, 0);
		const character = this.character();
		return this.step((at) => character.test(this.text[at] ?? '') && at < this.text.length, 1);
	}

	/** One character of the pattern: itself, an escape or a class. */
	private character(): RegExp {
		const rest = this.source.slice(this.position);
		const [source] =
			/^(?:\[(?:\\.|[^\]\\])*\]|\\[pP]\{\w+\}|\\u[0-9a-f]{4}|\\x[0-9a-f]{2}|\\.|[^\\])/i.exec(
				rest,
			) ?? [];
		if (source === undefined || /^\\[bBk1-9]/.test(source)) throw this.unknown();
		this.position += source.length;
		return new RegExp(`^${source}$`, this.pattern.flags.replace('g', ''));
	}

	private step(matches: (at: number) => boolean, length: number): Matcher {
		return (at, next) => {
			this.steps += 1;
			return matches(at) && next(at + length);
		};
	}

	private closed(matcher: Matcher): Matcher {
		if (!this.skip(')')) throw this.unknown();
		return matcher;
	}

	private peek(): string {
		return this.source[this.position] ?? '';
	}

	private skip(text: string): boolean {
		const isHere = this.source.startsWith(text, this.position);
		if (isHere) this.position += text.length;
		return isHere;
	}

	private unknown(): Error {
		return new Error(`${this.source}: what is at ${this.position} is not known here`);
	}
}
