import type { Resolve } from './compiled.ts';

/** What resolves a field without a resolver: the property of its name, or what that answers where it is a method. */
export function readProperty(name: string): Resolve {
  return (source, argumentValues, context) => {
    if (typeof source !== 'object' || source === null) {
      return undefined;
    }
    const property: unknown = Reflect.get(source, name);
    return typeof property === 'function'
      ? Reflect.apply(property, source, [argumentValues, context])
      : property;
  };
}
