import { styleText } from 'node:util';

/** The destination of the screen: a terminal, or any other standard output. */
export type Output = NodeJS.WritableStream & { readonly isTTY?: boolean; readonly columns?: number };

/** Colours a text if colours are on. */
export type Style = (format: 'bold' | 'dim' | 'green' | 'red' | 'yellow', text: string) => string;

/** Colours for a terminal only; NO_COLOR and FORCE_COLOR take precedence. */
export function styleFor(stream: Output): Style {
  return (format, text) => styleText(format, text, { stream });
}
