import { getResolvedPDFJS } from 'unpdf';
import { ExtractError } from '../../../extract-error.js';
import './array-buffer-transfer.js';
import { PredefinedCMapFactory } from './predefined-cmaps.js';

type PdfJs = Awaited<ReturnType<typeof getResolvedPDFJS>>;
export type Pdf = Awaited<ReturnType<PdfJs['getDocument']>['promise']>;
export type PdfPage = Awaited<ReturnType<Pdf['getPage']>>;

/**
 * Opens a PDF, including one restricted only by an owner password. Pictures with more pixels than `maxPixels` are
 * skipped: all of them by default. Rejects with FILE_ENCRYPTED or FILE_UNPARSABLE.
 */
export async function openPdf(bytes: Uint8Array, maxPixels = 0): Promise<Pdf> {
  const { getDocument } = await getResolvedPDFJS();
  try {
    return await getDocument({
      // pdf.js transfers the buffer
      data: new Uint8Array(bytes),
      isEvalSupported: false,
      disableFontFace: true,
      useSystemFonts: true,
      useWasm: false,
      useWorkerFetch: false,
      isOffscreenCanvasSupported: false,
      isImageDecoderSupported: false,
      maxImageSize: maxPixels,
      enableXfa: false,
      cMapUrl: 'built-in/',
      cMapPacked: false,
      BinaryDataFactory: PredefinedCMapFactory,
      verbosity: 0,
    }).promise;
  } catch (error) {
    throw new ExtractError(isPasswordError(error) ? 'FILE_ENCRYPTED' : 'FILE_UNPARSABLE');
  }
}

const isPasswordError = (error: unknown): boolean =>
  error instanceof Error && error.name === 'PasswordException';
