import process from 'node:process';

/** The properties of the global object in which jest-circus keeps a suite. */
const ofJestCircus: ReadonlySet<string | undefined> = new Set(['JEST_STATE_SYMBOL', 'EVENT_HANDLERS']);

/** The environment of a suite: the realm of the worker. What a suite changes of the process is undone after it. */
class NodeRealm {
  readonly global = globalThis;
  readonly #environment = { ...process.env };
  readonly #exit: unknown = Reflect.get(process, 'exit');
  readonly #exitListeners = new Set(process.listeners('exit'));

  exportConditions(): string[] {
    return ['node', 'node-addons'];
  }

  getVmContext(): null {
    return null;
  }

  async setup(): Promise<void> {
    // Each logger of a suite listens for the exit.
    process.setMaxListeners(100);
  }

  async teardown(): Promise<void> {
    // jest-runner wraps it for each suite.
    Reflect.set(process, 'exit', this.#exit);
    process.exitCode = undefined;
    for (const listener of process.listeners('exit')) {
      if (!this.#exitListeners.has(listener)) {
        process.removeListener('exit', listener);
      }
    }
    for (const name of Object.keys(process.env)) {
      if (this.#environment[name] === undefined) {
        delete process.env[name];
      }
    }
    Object.assign(process.env, this.#environment);
    for (const symbol of Object.getOwnPropertySymbols(globalThis)) {
      if (ofJestCircus.has(symbol.description)) {
        Reflect.deleteProperty(globalThis, symbol);
      }
    }
  }
}

// jest requires the class itself.
export { NodeRealm as 'module.exports' };
