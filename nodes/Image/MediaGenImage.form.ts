import { builderHintOf } from '../shared/form/builderHints';
import { catalogProperties } from '../shared/form/catalogProperties';
import { paneHintsOf, subtitleOf } from '../shared/form/expressions';
import { IMAGE_CATALOG } from '../shared/spec/catalogs';

export { OUTPUTS, WAITING_TOOLTIP } from '../shared/form/expressions';

export const SUBTITLE = subtitleOf(IMAGE_CATALOG);

export const BUILDER_HINT = builderHintOf(IMAGE_CATALOG);

export const HINTS = paneHintsOf(IMAGE_CATALOG);

export const properties = () => catalogProperties(IMAGE_CATALOG);
