import { useGraphiQL, useGraphiQLActions } from '@graphiql/react';
import type { OperationDefinitionNode } from 'graphql';
import { Kind, parse } from 'graphql';
import type { ReactElement } from 'react';
import { useState } from 'react';

import type { ListedOperation } from '../session.ts';

/** The manifest's operations; a click opens one in a tab. */
export function OperationsList({
  operations,
}: {
  readonly operations: readonly ListedOperation[];
}): ReactElement {
  const [filter, setFilter] = useState('');
  const open = useOpenOperation();
  const query = useGraphiQL(({ tabs, activeTabIndex }) => tabs[activeTabIndex]?.query);
  const hasSeveralApps = new Set(operations.flatMap(({ apps }) => apps)).size > 1;
  const findBy = hasSeveralApps ? 'Find by name or app' : 'Find by name';
  const shown = operations
    .filter(({ name, apps }) => [name, ...apps].join('\n').toLowerCase().includes(filter.toLowerCase()))
    .toSorted((one, other) => one.name.localeCompare(other.name));
  return (
    <section className="explorer-operations" aria-label="Operations of the manifest">
      <header className="graphiql-doc-explorer-title">Operations</header>
      <p className="explorer-quiet">
        {operations.length === 0
          ? 'The manifest has no operations.'
          : `${operations.length} in the manifest. Clients send them by their identifiers.`}
      </p>
      <input
        type="search"
        placeholder={findBy}
        aria-label={findBy}
        value={filter}
        onChange={({ target }) => setFilter(target.value)}
      />
      <ul>
        {shown.map((operation) => (
          <li key={operation.id}>
            <button
              type="button"
              aria-current={operation.body === query ? 'true' : undefined}
              title={`Identifier: ${operation.id}`}
              onClick={() => open(operation)}
            >
              <span className="explorer-badge">{definitionOf(operation)?.operation ?? 'query'}</span>
              {operation.name}
              {hasSeveralApps && <span className="explorer-quiet">{operation.apps.join(', ')}</span>}
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Opens an operation in the tab that has it already, else in a new one. */
function useOpenOperation(): (operation: ListedOperation) => void {
  const actions = useGraphiQLActions();
  const { tabs, queryEditor, variableEditor } = useGraphiQL((state) => state);
  return (operation) => {
    const existing = tabs.findIndex(({ query }) => query === operation.body);
    if (existing !== -1) {
      actions.changeTab(existing);
      return;
    }
    actions.addTab();
    queryEditor?.setValue(operation.body);
    variableEditor?.setValue(variablesToFill(operation));
  };
}

/** Its variables without a default, each to be filled in. */
function variablesToFill(operation: ListedOperation): string {
  const names = (definitionOf(operation)?.variableDefinitions ?? [])
    .filter(({ defaultValue }) => defaultValue === undefined)
    .map(({ variable }) => variable.name.value);
  return names.length === 0
    ? ''
    : JSON.stringify(Object.fromEntries(names.map((name) => [name, ''])), null, 2);
}

function definitionOf({ body }: ListedOperation): OperationDefinitionNode | undefined {
  try {
    return parse(body).definitions.find((definition) => definition.kind === Kind.OPERATION_DEFINITION);
  } catch {
    return undefined;
  }
}
