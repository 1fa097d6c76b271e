import { styleText } from 'node:util';

/** Where the screen is written: a terminal, or anything else that standard output may be. */
export type Output = NodeJS.WritableStream & { readonly isTTY?: boolean; readonly columns?: number };

/** Colours a text, where colours are wanted. */
export type Style = (format: 'bold' | 'dim' | 'green' | 'red' | 'yellow', text: string) => string;

/** Colours for a terminal, none for anything else; NO_COLOR and FORCE_COLOR have the last word. */
export function styleFor(stream: Output): Style {
  return (format, text) => styleText(format, text, { stream });
}
