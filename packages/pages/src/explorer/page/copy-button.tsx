import type { ReactElement } from 'react';
import { useState } from 'react';

/** For a document, an issue or a terminal. */
export function CopyButton({ text, label }: { readonly text: string; readonly label: string }): ReactElement {
  const [copied, setCopied] = useState<string>();
  return (
    <button
      type="button"
      onClick={() => {
        navigator.clipboard.writeText(text).then(
          () => setCopied(text),
          () => setCopied(undefined),
        );
      }}
    >
      {copied === text ? 'Copied' : label}
    </button>
  );
}
