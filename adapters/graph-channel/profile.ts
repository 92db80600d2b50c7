import type { ChannelItems, ChannelResource, MenuItem, StarterItem } from '../../core/ports/channel.port.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../../core/schemas/json.js';

const objects = (value: JsonValue | undefined): JsonObject[] =>
  Array.isArray(value) ? value.filter(isJsonObject) : [];
const text = (value: JsonValue | undefined): string => (typeof value === 'string' ? value : '');

const menuItem = (item: MenuItem): JsonObject =>
  'url' in item
    ? { type: 'web_url', title: item.title, url: item.url }
    : { type: 'postback', title: item.title, payload: item.message };

const toMenuItem = (item: JsonObject): MenuItem =>
  item.type === 'web_url'
    ? { title: text(item.title), url: text(item.url) }
    : { title: text(item.title), message: text(item.payload) };

/** Converts items to the platform's format. When a person taps an item, the platform sends its payload. */
const written: { [R in ChannelResource]: (items: ChannelItems[R]) => JsonObject[] } = {
  'persistent-menu': (items) => [{ locale: 'default', call_to_actions: items.map(menuItem) }],
  'conversation-starters': (items) => [
    {
      locale: 'default',
      call_to_actions: items.map(({ question }) => ({ question, payload: question })),
    },
  ],
};

const read: { [R in ChannelResource]: (entries: JsonObject[]) => ChannelItems[R] } = {
  'persistent-menu': (entries) => objects(entries[0]?.call_to_actions).map(toMenuItem),
  'conversation-starters': (entries): StarterItem[] =>
    objects(entries[0]?.call_to_actions).map(({ question }) => ({ question: text(question) })),
};

export const writeItems = <R extends ChannelResource>(resource: R, items: ChannelItems[R]): JsonObject[] =>
  written[resource](items);

export const readItems = <R extends ChannelResource>(
  resource: R,
  value: JsonValue | undefined,
): ChannelItems[R] => read[resource](objects(value));
