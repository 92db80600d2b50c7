import { jsonLdObjects, typesOf } from '../facts/json-ld.js';
import type { PageTree } from '../tree/page-tree.js';

const articleTypes = /(?:Article|Posting|Report|Review)$/;
const notArticles = /^(?:DiscussionForumPosting|SocialMediaPosting|JobPosting)$/;
const studyTypes = /^(?:ScholarlyArticle|MedicalScholarlyArticle|TechArticle|APIReference)$/;
const productTypes = /^(?:Product|ProductGroup|IndividualProduct|ProductModel|Vehicle|Car|Book)$/;

/** Returns whether the metadata declares an article, by its type or date of publication. */
export function isArticlePage(tree: PageTree): boolean {
  const { meta } = tree.head;
  if (isProductPage(tree)) return false;
  if (meta.has('article:published_time') || meta.has('citation_title')) return true;
  return declares(tree, (type) => articleTypes.test(type) && !notArticles.test(type));
}

export function isProductPage(tree: PageTree): boolean {
  const { meta } = tree.head;
  if (/^(?:og:)?product/.test(meta.get('og:type') ?? '') || meta.has('product:price:amount')) return true;
  if (declares(tree, (type) => productTypes.test(type))) return true;
  return tree.head.itemTypes.filter((type) => productTypes.test(type)).length === 1;
}

/** Returns whether a product page describes one product and not a list of products. */
export function isSingleProductPage(tree: PageTree): boolean {
  if (!isProductPage(tree)) return false;
  const products = jsonLdObjects(tree).filter((thing) =>
    typesOf(thing).some((type) => productTypes.test(type)),
  );
  return products.length <= 1;
}

/** Returns whether the page is a news or magazine article and not a scientific article or a manual. */
export function isJournalPage(tree: PageTree): boolean {
  if (!isArticlePage(tree) || tree.head.meta.has('citation_title')) return false;
  return !declares(tree, (type) => studyTypes.test(type));
}

function declares(tree: PageTree, test: (type: string) => boolean): boolean {
  return jsonLdObjects(tree).some((thing) => typesOf(thing).some(test));
}
