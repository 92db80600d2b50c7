import { asksForNumber } from '../../../adapters/extractive/candidates.js';
import t from '../../support/t.js';

t.test('recognises questions for a number, a price or a time', async (t) => {
  for (const question of [
    'How many rooms are there?',
    'Was kostet das?',
    'Ile kosztuje bilet?',
    'Qual é o preço?',
    'Mấy giờ mở cửa?',
    'Giá vé là bao nhiêu?',
    '営業時間は何時ですか',
    'Cât costă biletul?',
    'When does it begin?',
  ])
    t.ok(asksForNumber(question), question);
});

t.test('common words of one language ask for no number, although another language has them', async (t) => {
  for (const question of [
    'May I bring a cat?',
    'کمپنی کی گاڑی',
    'Le prêt est-il renouvelable ?',
    'Was passiert bei Regen?',
    'Prečo je zatvorené?',
    'Kam sa môžem prihlásiť?',
    'Kart ile ödeyebilir miyim?',
    'È già aperto?',
    'Kur jūs atrodaties?',
  ])
    t.notOk(asksForNumber(question), question);
});
