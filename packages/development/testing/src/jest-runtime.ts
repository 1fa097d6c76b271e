// jest's own runtime gives each suite a V8 context and loads each module anew into it: that took 40 % of the CPU time of
// the gateway's tests. This one leaves loading to Node. A suite runs in the realm of its worker, as its subject does in
// production, and shares modules with the worker's other suites: there is no mutable module state.
import { createRequire, registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';

import { setGlobals } from './jest-globals.ts';

const require = createRequire(import.meta.url);
const globalsUrl = new URL('jest-globals.ts', import.meta.url).href;

registerHooks({
  resolve: (specifier, context, nextResolve) =>
    nextResolve(specifier === '@jest/globals' ? globalsUrl : specifier, context),
});

/** The number of suites that this worker has run: a file that two projects run is loaded twice. */
let count = 0;

/** The methods of a runtime that jest-runner and jest-circus call, for suites that mock no modules. */
class NodeRuntime {
  constructor() {
    count += 1;
  }

  unstable_shouldLoadAsEsm(): boolean {
    return true;
  }

  async unstable_importModule(path: string): Promise<unknown> {
    return await import(`${pathToFileURL(path).href}?run=${count}`);
  }

  requireModule(path: string): unknown {
    return require(path);
  }

  /** jest-circus keeps the state of a suite in its module. */
  requireInternalModule(path: string): unknown {
    delete require.cache[path];
    return require(path);
  }

  setGlobalsForRuntime(globals: Readonly<Record<string, unknown>>): void {
    setGlobals(globals);
  }

  getSourceMaps(): ReadonlyMap<string, string> {
    return new Map();
  }

  getAllCoverageInfoCopy(): undefined {
    return undefined;
  }

  enterTestCode(): void {}
  leaveTestCode(): void {}
  teardown(): void {}
}

// jest requires the class itself.
export { NodeRuntime as 'module.exports' };
