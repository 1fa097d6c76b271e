import { allScopes } from '../scopes.ts';

/** All scopes in use, once each: the services' own, and further ones in each `@requiresScopes` of a schema. */
export function scopesWith(schema: string): string[] {
  const required = Array.from(schema.matchAll(/@requiresScopes\((?<sets>[^()]*)\)/gu), ({ groups }) =>
    Array.from(
      (groups?.['sets'] ?? '').matchAll(/"(?<scope>[^"]+)"/gu),
      (match) => match.groups?.['scope'] ?? '',
    ),
  ).flat();
  return [...new Set([...allScopes, ...required])];
}
