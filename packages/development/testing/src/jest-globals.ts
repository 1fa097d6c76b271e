// The functions that a test imports from `@jest/globals`. A module may serve many suites: a call goes to the functions
// of the current one.
type Globals = Readonly<Record<string, unknown>>;

const state: { globals: Globals } = { globals: {} };

/** Sets `describe`, `it` and so on of the current suite. */
export function setGlobals(globals: Globals): void {
  state.globals = globals;
}

export const describe = ofSuite('describe');
export const it = ofSuite('it');
export const test = ofSuite('test');
export const expect = ofSuite('expect');
export const beforeAll = ofSuite('beforeAll');
export const beforeEach = ofSuite('beforeEach');
export const afterEach = ofSuite('afterEach');
export const afterAll = ofSuite('afterAll');

function ofSuite(name: string): () => unknown {
  const find = (): (() => unknown) => {
    const found = state.globals[name];
    if (!isFunction(found)) {
      throw new Error(`There is no ${name} outside of a suite`);
    }
    return found;
  };
  return new Proxy(() => undefined, {
    apply: (_target, receiver, args) => Reflect.apply(find(), receiver, args),
    get: (_target, member) => Reflect.get(find(), member),
  });
}

function isFunction(value: unknown): value is () => unknown {
  return typeof value === 'function';
}
