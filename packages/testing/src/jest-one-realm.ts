// jest runs a suite in its own V8 context, so an error of Node itself is not an `instanceof` the suite's Error, as it
// is in production. This makes it one again.
Object.defineProperty(Error, Symbol.hasInstance, {
  value(this: unknown, value: unknown): boolean {
    return this === Error ? Error.isError(value) : Function.prototype[Symbol.hasInstance].call(this, value);
  },
});
