import { jsonLdObjects, typesOf } from './json-ld.js';
import type { PageTree } from './page-tree.js';

const articleTypes = /(?:Article|Posting|Report|Review)$/;
const notArticles = /^(?:DiscussionForumPosting|SocialMediaPosting|JobPosting)$/;
const productTypes = /^(?:Product|ProductGroup|IndividualProduct|ProductModel|Vehicle|Car|Book)$/;

/** Whether the metadata declares the page an article, by type or date of publication. */
export function isArticlePage(tree: PageTree): boolean {
  const { meta } = tree.head;
  if (isProductPage(tree)) return false;
  if (meta.has('article:published_time') || meta.has('citation_title')) return true;
  return declares(tree, (type) => articleTypes.test(type) && !notArticles.test(type));
}

export function isProductPage(tree: PageTree): boolean {
  const { meta } = tree.head;
  if (/^(?:og:)?product/.test(meta.get('og:type') ?? '') || meta.has('product:price:amount')) return true;
  return declares(tree, (type) => productTypes.test(type));
}

function declares(tree: PageTree, test: (type: string) => boolean): boolean {
  return jsonLdObjects(tree).some((thing) => typesOf(thing).some(test));
}
