import type { View } from '../addresses.ts';
import type { Child } from '../element.ts';
import { element } from '../element.ts';
import type { Model } from '../model.ts';
import { fieldView } from './field-view.ts';
import { operationView } from './operation-view.ts';
import { overview } from './overview.ts';
import { subgraphView } from './subgraph-view.ts';
import { typeView } from './type-view.ts';

/** The content for a view: what it shows, or that the graph has nothing of its name. */
export function contentOf(model: Model, view: View): Child {
  switch (view.kind) {
    case 'overview':
      return overview(model);
    case 'type': {
      const type = model.typeByName.get(view.type);
      return type === undefined ? unknown(view.type) : typeView(model, type);
    }
    case 'field': {
      const type = model.typeByName.get(view.type);
      const member = type?.members.find(({ name }) => name === view.field);
      return type === undefined || member === undefined
        ? unknown(`${view.type}.${view.field}`)
        : fieldView(model, { type, member });
    }
    case 'operation': {
      const operation = model.operationByKey.get(view.key);
      return operation === undefined ? unknown('This operation') : operationView(model, operation);
    }
    case 'subgraph':
      break;
  }
  const subgraph = model.subgraphs.find(({ name }) => name === view.name);
  return subgraph === undefined ? unknown(view.name) : subgraphView(model, subgraph);
}

function unknown(name: string): Child {
  return [element('h1', { tabindex: -1 }, name), element('p', {}, 'The graph has nothing of this name.')];
}
