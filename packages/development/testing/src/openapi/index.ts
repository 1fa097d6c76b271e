export { type ResponseChecker, createResponseChecker, type ObservedResponse } from './response-checker.ts';
export { documentedResponses, documentedFetch, type DocumentedFetch } from './documented-responses.ts';
export { openApiFaults } from './openapi-faults.ts';
