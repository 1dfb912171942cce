import { builderHintOf } from '../shared/form/builderHints';
import { catalogProperties } from '../shared/form/catalogProperties';
import { paneHintsOf, subtitleOf } from '../shared/form/expressions';
import { MUSIC_CATALOG } from '../shared/spec/catalogs';

export { OUTPUTS, WAITING_TOOLTIP } from '../shared/form/expressions';

export const SUBTITLE = subtitleOf(MUSIC_CATALOG);

export const BUILDER_HINT = builderHintOf(MUSIC_CATALOG);

export const HINTS = paneHintsOf(MUSIC_CATALOG);

export const properties = () => catalogProperties(MUSIC_CATALOG);
