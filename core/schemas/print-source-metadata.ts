import { sourceMetadataReference } from './source-metadata-reference.js';

process.stdout.write(sourceMetadataReference());
