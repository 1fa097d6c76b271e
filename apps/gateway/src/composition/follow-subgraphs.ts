import { setTimeout as delay } from 'node:timers/promises';

import { CommandError } from '@meridian/settings/command-line';
import { composeSupergraph, describeIssue, loadSubgraph } from '@meridian/composition';
import type { SubgraphSchema } from '@meridian/composition';
import { writeGenerated } from '@meridian/composition/commands/generated-file';

import type { SubgraphUrls } from './subgraph-urls.ts';

export interface FollowOptions {
  /** The supergraph's file. */
  readonly path: string;
  /** Called with a text for the person at the terminal, at each change. */
  readonly say: (text: string) => void;
  /** The pause between two looks at the subgraphs, in milliseconds. */
  readonly everyMs: number;
}

/**
 * Composes running subgraphs, and again whenever the schema of one changes. Resolves with the first supergraph in its
 * file: until then it waits for subgraphs that do not respond and for schemas that do not compose. Later the file keeps
 * the last supergraph that did. The returned function ends it.
 */
export async function followSubgraphs(urls: SubgraphUrls, options: FollowOptions): Promise<() => void> {
  const composer = new Composer(urls, options);
  await composer.look();
  while (!composer.hasComposed) {
    await delay(options.everyMs);
    await composer.look();
  }
  const ending = new AbortController();
  const lookAgain = async (): Promise<void> => {
    while (!ending.signal.aborted) {
      await delay(options.everyMs, undefined, { ref: false });
      if (!ending.signal.aborted) {
        await composer.look();
      }
    }
  };
  void lookAgain();
  return () => ending.abort();
}

class Composer {
  readonly #urls: SubgraphUrls;
  readonly #options: FollowOptions;
  /** The last schema of each subgraph that has responded. */
  readonly #schemas = new Map<string, SubgraphSchema>();
  /** The schemas of the last composition, whatever came of it. */
  #seen: string | undefined;
  #compositionFault: string | undefined;
  #saidFault: string | undefined;
  hasComposed = false;

  constructor(urls: SubgraphUrls, options: FollowOptions) {
    this.#urls = urls;
    this.#options = options;
  }

  async look(): Promise<void> {
    const loads = Array.from(this.#urls, async ([name, url]) => await this.#load(name, url));
    const faults = (await Promise.all(loads)).filter((fault) => fault !== undefined);
    const wasComposed = this.#schemas.size === this.#urls.size && this.#compose();
    if (this.#compositionFault !== undefined) {
      faults.push(this.#compositionFault);
    }
    this.#report(faults.join('\n'), wasComposed);
  }

  /** Returns the reason why the subgraph has no new schema. */
  async #load(name: string, url: string): Promise<string | undefined> {
    try {
      const schema = { url, headers: {} };
      this.#schemas.set(name, await loadSubgraph({ name, routingUrl: url, schema }));
      return undefined;
    } catch (error) {
      if (error instanceof CommandError) {
        return error.message;
      }
      throw error;
    }
  }

  /** True when there is a new supergraph. */
  #compose(): boolean {
    const names = [...this.#urls.keys()];
    const subgraphs = names.map((name) => this.#schemas.get(name)).filter((one) => one !== undefined);
    const schemas = JSON.stringify(subgraphs.map(({ sdl }) => sdl));
    if (schemas === this.#seen) {
      return false;
    }
    this.#seen = schemas;
    const { supergraphSdl, errors = [] } = composeSupergraph(subgraphs);
    if (supergraphSdl === undefined) {
      const sdls = new Map(subgraphs.map(({ name, sdl }) => [name, sdl]));
      this.#compositionFault = errors.map((error) => describeIssue(error, new Map(), sdls)).join('\n');
      return false;
    }
    writeGenerated({ path: this.#options.path, text: supergraphSdl });
    this.#compositionFault = undefined;
    this.hasComposed = true;
    return true;
  }

  /** Says a fault once, for as long as it lasts, and when there is none any more. */
  #report(fault: string, wasComposed: boolean): void {
    const { say } = this.#options;
    if (wasComposed) {
      say(`composed ${[...this.#urls.keys()].join(', ')}`);
    } else if (fault === '' && this.#saidFault !== '' && this.#saidFault !== undefined) {
      say('the subgraphs respond again, with the same schemas');
    }
    if (fault !== this.#saidFault && fault !== '') {
      say(`${this.hasComposed ? 'keeping the last supergraph' : 'waiting'}: ${fault}`);
    }
    this.#saidFault = fault;
  }
}
