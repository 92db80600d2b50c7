export { indexText } from '../../core/retrieval/index-text.js';
