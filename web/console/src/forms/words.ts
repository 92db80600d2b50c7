const own: Record<string, string> = {
  url: 'URL',
  bubbleIconUrl: 'Bubble icon URL',
  profilePictureUrl: 'Profile picture URL',
  isPrivate: 'Private',
  apiAccess: 'API access',
  id: 'Id',
};

/** Returns the label of a field. `bubbleColor` becomes "Bubble colour", because the console uses British spelling. */
export function labelOf(name: string): string {
  const words = name
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replaceAll('_', ' ')
    .toLowerCase()
    .replace('color', 'colour');
  return own[name] ?? words.charAt(0).toUpperCase() + words.slice(1);
}
