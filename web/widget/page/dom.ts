type Attributes = Record<string, string>;

/** Creates an element. Attributes never hold HTML, and children are nodes or text. */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Attributes = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  setAttributes(made, attributes);
  made.append(...children);
  return made;
}

export function setAttributes(of: Element, attributes: Attributes): void {
  for (const [name, value] of Object.entries(attributes)) of.setAttribute(name, value);
}

export const svgElement = (name: string, attributes: Attributes, ...children: Node[]): SVGElement => {
  const made = document.createElementNS('http://www.w3.org/2000/svg', name);
  setAttributes(made, attributes);
  made.append(...children);
  return made;
};
