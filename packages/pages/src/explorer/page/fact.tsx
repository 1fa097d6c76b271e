import type { ReactElement } from 'react';

/** A figure with its name, in a list of them. */
export function Fact(props: {
  readonly name: string;
  readonly value: string;
  readonly children?: ReactElement | false;
}): ReactElement {
  return (
    <div>
      <dt>{props.name}</dt>
      <dd>
        <strong>{props.value}</strong> {props.children}
      </dd>
    </div>
  );
}
