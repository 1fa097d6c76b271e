/** Continues with a value that may be a promise: at once, if it is not. */
export function after<Value, Next>(
  value: Value | Promise<Value>,
  proceed: (value: Value) => Next | Promise<Next>,
): Next | Promise<Next> {
  return value instanceof Promise ? value.then(proceed) : proceed(value);
}
