const table = (plain: string, shifted: string): ReadonlyMap<string, string> => {
  const letters = [...shifted];
  return new Map([...plain].map((char, at) => [char, letters[at] ?? char]));
};

/** Superscript and subscript characters of Unicode by their plain characters. */
export const scriptLetters = {
  super: table('0123456789+-−–=()abcdefghijklmnoprstuvwxyz', '⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁻⁼⁽⁾ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻ'),
  sub: table('0123456789+-−–=()aehijklmnoprstuvx', '₀₁₂₃₄₅₆₇₈₉₊₋₋₋₌₍₎ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓ'),
} as const;
