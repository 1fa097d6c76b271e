// jest runs a suite in a V8 context of its own, so that an error by Node itself is no `instanceof` the suite's Error,
// which it is in production. This makes it one again.
Object.defineProperty(Error, Symbol.hasInstance, {
  value(this: unknown, value: unknown): boolean {
    return this === Error ? Error.isError(value) : Function.prototype[Symbol.hasInstance].call(this, value);
  },
});
