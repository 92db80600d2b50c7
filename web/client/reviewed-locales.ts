/** Languages whose texts a speaker has reviewed. The texts of all others were written by a language model. */
export const reviewedLocales: readonly string[] = ['en'];
