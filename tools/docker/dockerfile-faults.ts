import { validate } from 'dockerfile-utils';

/** Lints a Dockerfile; each fault as `<line>: <message>`. */
export function dockerfileFaults(dockerfile: string): string[] {
  return validate(dockerfile).map(({ range, message }) => {
    // The type is an editor's, which can show Markdown too.
    const text = typeof message === 'string' ? message : message.value;
    return `${range.start.line + 1}: ${text}`;
  });
}
