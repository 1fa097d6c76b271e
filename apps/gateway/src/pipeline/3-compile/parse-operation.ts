import type { DocumentNode } from 'graphql';
import { GraphQLError, Lexer, Source, TokenKind, parse } from 'graphql';

import { RequestError, requestError } from '../../errors/request-error.ts';
import type { OperationRules } from './operation-rules.ts';

const opening: ReadonlySet<string> = new Set([TokenKind.BRACE_L, TokenKind.BRACKET_L, TokenKind.PAREN_L]);
const closing: ReadonlySet<string> = new Set([TokenKind.BRACE_R, TokenKind.BRACKET_R, TokenKind.PAREN_R]);

/**
 * Parses the text of an operation. Its tokens are counted first: the time of later steps grows faster than the text,
 * and the parser recurses for each bracket.
 *
 * Spec: Limits, `limits.parser_max_tokens`.
 *
 * @throws {RequestError} PARSING_ERROR
 */
export function parseOperation(text: string, rules: OperationRules): DocumentNode {
  const { max_document_length: maxLength } = rules.meridian.limits;
  if (text.length > maxLength) {
    throw requestError('PARSING_ERROR', `The document has more than ${maxLength} characters`);
  }
  try {
    const source = new Source(text, 'operation');
    limitTokens(source, rules);
    return parse(source);
  } catch (error) {
    if (error instanceof GraphQLError) {
      const { message, locations } = error;
      throw new RequestError('PARSING_ERROR', [{ message, locations }]);
    }
    throw error;
  }
}

/** Each line of a block string counts as a token: it costs as much where the string is read, printed and read again. */
function limitTokens(source: Source, { limits }: OperationRules): void {
  const { parser_max_tokens: maxTokens, parser_max_recursion: maxRecursion } = limits;
  const lexer = new Lexer(source);
  let open = 0;
  let tokens = 0;
  while (lexer.advance().kind !== TokenKind.EOF) {
    tokens += 1 + lexer.line - lexer.token.line;
    if (tokens > maxTokens) {
      throw requestError('PARSING_ERROR', `The operation has more than ${maxTokens} tokens`);
    }
    open += bracketsOpenedBy(lexer.token.kind);
    if (open > maxRecursion) {
      throw requestError('PARSING_ERROR', `The operation nests more than ${maxRecursion} brackets`);
    }
  }
}

function bracketsOpenedBy(kind: string): number {
  if (opening.has(kind)) {
    return 1;
  }
  return closing.has(kind) ? -1 : 0;
}
