// The bare handler on node:http.
import { answerBarely, listenAndAnnounce } from './bare-handler.ts';

listenAndAnnounce((request, response) => void answerBarely(request, response));
