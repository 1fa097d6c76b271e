import { isRecord } from '@meridian/settings/values';

/** The members of a JSON object; undefined for any other text. */
export function parseMembers(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
