// The bare handler on node:http.
import { listenAndAnnounce } from '../harness/listen-and-announce.ts';
import { answerBarely } from './bare-handler.ts';

listenAndAnnounce((request, response) => void answerBarely(request, response));
