/* test: 0.1 s */
/* How libconfig reads a config, and the tree made of it: values that libconfig would change
 * silently, limits, line numbers, and messages for wrong syntax. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config/syntax/scan.h"
#include "config/syntax/tree.h"
#include "support/tap.h"

/* The tree of `text`, which must be right; NULL: it is not. */
static struct sluice_tree_node *read_tree(struct sluice_source *source, const char *text)
{
    struct sluice_tree_node *root = NULL;
    const int good = sluice_source_take(source, text, "test.cfg") == SLUICE_OK &&
                     sluice_tree_read(&root, source) == SLUICE_OK;
    if (!good)
        diag("%s", sluice_message());
    return root;
}

/* The first mistake of `text`, which must have one. */
static struct sluice_mistake mistake_of(const char *text)
{
    struct sluice_source source;
    struct sluice_mistake mistake = {0};
    struct sluice_tree_node *root = NULL;
    if (sluice_source_take(&source, text, "test.cfg") != SLUICE_OK ||
        sluice_tree_parse(&root, &source, &mistake))
        snprintf(mistake.what, sizeof mistake.what, "no mistake");
    sluice_tree_destroy(&root);
    sluice_source_destroy(&source);
    return mistake;
}

static void refused(const char *text, int line, const char *why)
{
    const struct sluice_mistake mistake = mistake_of(text);
    const int n = (int)strcspn(text, "\n"); /* a check's name is one line */
    ok(mistake.line == line && strstr(mistake.what, why), "%.*s: %d: %s", n, text, mistake.line,
       mistake.what);
}

/* The text that libconfig gets. */
static void test_scan(void)
{
    static const char *const text[][2] = {
        {"a = 1; # x\nb : [1, 2]", "a\n=\n1L\n;\nb\n:\n[\n1L\n,\n2L\n]\n"},
        {"a = [0x10, 0.5, 3L];", "a\n=\n[\n16.0\n,\n0.5\n,\n3.0\n]\n;\n"},
        {"a = ([1], [2.5, -1])", "a\n=\n(\n[\n1L\n]\n,\n[\n2.5\n,\n-1.0\n]\n)\n"},
        {"a = 9999999999", "a\n=\n9999999999L\n"},
        {"a = 0xFFFFFFFF", "a\n=\n4294967295L\n"},
        {"a = \"# /* \\q \\x41 \\n\"", "a\n=\n\"# /* \\\\q A \\x0a\"\n"},
        {"a = \"1\n2\"", "a\n=\n\"1\\x0a2\"\n"},
        {"a = 0b1", "a\n=\n0L\nb1\n"},
        {"a = 1 @include \"b\"", "a\n=\n1L\n@\ninclude\n"}, /* the text is refused at once */
        {"a = 1 \a", "a\n=\n1L\n@\n"},
        {"/* */ # nothing", ""}};
    for (size_t i = 0; i < sizeof text / sizeof text[0]; i++) {
        struct sluice_source source;
        struct sluice_scan scan;
        struct sluice_mistake mistake;
        sluice_source_take(&source, text[i][0], "test.cfg");
        sluice_scan_text(&scan, &source, &mistake);
        is_str(scan.text, text[i][1], "the text that libconfig gets");
        sluice_scan_destroy(&scan);
        sluice_source_destroy(&source);
    }
}

static void is_whole(const char *value, long long is)
{
    struct sluice_source source;
    char text[100];
    snprintf(text, sizeof text, "a = %s;", value);
    struct sluice_tree_node *root = read_tree(&source, text);
    if (ok(root && root->child[0]->kind == SLUICE_TREE_WHOLE, "%s is a whole number", value)) {
        is_int(root->child[0]->whole, is, value);
        is_close(root->child[0]->real, (double)is, 0, "and as a real");
    }
    sluice_tree_destroy(&root);
    sluice_source_destroy(&source);
}

static void test_numbers(void)
{
    struct sluice_source source;
    is_whole("9999999999", 9999999999);
    is_whole("-9223372036854775808", -9223372036854775807 - 1);
    is_whole("9223372036854775807", 9223372036854775807);
    is_whole("0x7FFFFFFFFFFFFFFF", 9223372036854775807);
    is_whole("0x00000000000000000001", 1);
    is_whole("010", 10);
    struct sluice_tree_node *root = read_tree(
        &source, "a = 1e999; b = [1, 0.5]; c = [0.1, 12345678901]; d = [1, 2]; e = 1.");
    if (ok(root && root->count == 5, "reals")) {
        const struct sluice_tree_node *b = root->child[1], *c = root->child[2];
        ok(isinf(root->child[0]->real), "1e999 is for the range of its key to refuse");
        is_int(b->child[0]->kind, SLUICE_TREE_WHOLE, "an array may mix numbers");
        is_int(b->child[1]->kind, SLUICE_TREE_REAL, "and each is what it was");
        is_close(b->child[0]->real, 1, 0, "the whole one");
        is_close(b->child[1]->real, 0.5, 0, "the real one");
        is_close(c->child[1]->real, 12345678901.0, 0, "a large one");
        is_int(root->child[3]->child[0]->kind, SLUICE_TREE_WHOLE, "the next array stays whole");
        is_int(root->child[4]->kind, SLUICE_TREE_REAL, "1. is real");
    }
    sluice_tree_destroy(&root);
    sluice_source_destroy(&source);
    refused("a = .;", 1, "'.' is no number");
    refused("a = -;", 1, "'-' is no number");
    refused("a = 99999999999999999999;", 1, "has too many digits");
    refused("a = 0x8000000000000000;", 1, "has too many digits");
    refused("time.end = 3;", 1, "a . follows 'time': write a key of a group as time = {");
    refused("a = 1;\n\xc2\xa0"
            "b = 2;",
            2, "a letter or blank that is not ASCII stands where a key");
    refused("a = 'b';", 1, "a text stands in \"double quotes\"");
    refused("a = 0b11;", 1, "the word 'b11' follows a value");
    refused("a = [1, true];", 1, "an array mixes whole numbers and true or false");
    refused("a = [1, 0.5, \"b\"\n];", 1, "an array mixes whole numbers and texts");
}

static void test_lines(void)
{
    struct sluice_source source;
    struct sluice_tree_node *root = read_tree(&source,
                                              "# one\na = 1;\nb\n=\n\"two\"\n\"three\";\nc = (\n"
                                              "\"x\" /* \n */ ,\n\"y\"\n\n, { d = [\n1,\n2\n] }\n"
                                              ");\ne = \"over\nlines\"; f = true");
    if (ok(root && root->count == 5, "a text of many lines")) {
        const struct sluice_tree_node *c = root->child[2];
        is_int(root->child[0]->line, 2, "a key");
        is_int(root->child[1]->line, 3, "a key, not its value");
        is_str(root->child[1]->text, "twothree", "texts in a row are one");
        is_int(c->child[0]->line, 8, "a text in a list");
        is_int(c->child[1]->line, 10, "the next one");
        is_int(c->child[2]->line, 12, "a group in a list");
        is_int(c->child[2]->child[0]->line, 12, "its key");
        is_int(c->child[2]->child[0]->child[1]->line, 14, "an element of an array");
        is_int(root->child[3]->line, 17, "after the list");
        is_str(root->child[3]->text, "over\nlines", "a text over lines");
        is_int(root->child[4]->line, 18, "after it");
    }
    sluice_tree_destroy(&root);
    sluice_source_destroy(&source);
}

/* Makes `count` copies of `piece`, where %d is the copy's number, with `more` at the end. */
static char *many(const char *piece, int count, const char *more)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    for (int i = 0; i < count; i++)
        fprintf(out, piece, i);
    fputs(more, out);
    fclose(out);
    return text;
}

static void test_limits(void)
{
    struct sluice_source source;
    char *text = many("k%d = 1;\n", 1000, "");
    struct sluice_tree_node *root = read_tree(&source, text);
    is_int(root ? root->count : 0, 1000, "keys of one group");
    sluice_tree_destroy(&root);
    sluice_source_destroy(&source);
    free(text);
    text = many("k%d = 1;\n", 50000, "");
    refused(text, 1001, "more than 1000 keys in one group");
    free(text);
    text = many("a%d = {", 64, "");
    refused(text, 1, "is never closed");
    free(text);
    text = many("a%d = {", 65, "");
    refused(text, 1, "brackets are nested deeper than 64");
    free(text);
    text = many("%d, ", 20000, "0 ]");
    char *whole = malloc(strlen(text) + 10);
    if (whole) {
        sprintf(whole, "a = [ %s", text);
        root = read_tree(&source, whole);
        is_int(root ? root->child[0]->count : 0, 20001, "elements have no limit of their own");
        sluice_tree_destroy(&root);
        sluice_source_destroy(&source);
    }
    free(whole);
    free(text);
}

static void test_refusals(void)
{
    refused("a = 1;\n/* b", 2, "a comment begins here with /*");
    refused("a = 1;\nb = \"c", 2, "a text has no closing quote");
    refused("a = (1,\n);", 2, "a comma stands before the closing )");
    refused("a = [1,\n];", 2, "a comma stands before the closing ]");
    refused("a = [1,,2];", 1, "',' stands where an array's element belongs");
    refused("a = (,);", 1, "',' stands where a value belongs");
    refused("a = 1;\na = 2;", 2, "'a' is set twice in one group, first at line 1");
    refused("b = { a = 1; c = { a = 2; };\n a = 3; };", 2, "first at line 1");
    refused("a \"b\";", 1, "'a' is not followed by = and a value");
    refused("a = 1 \"b\";", 1, "'\"b\"' stands where a key belongs");
    refused("a = ( \"b\" 1 );", 1, "'1' stands where a comma or ) belongs");
    refused("a = \"b\\x00c\";", 1, "a text holds the byte 0");
    refused("a = 1;\nb c;\nd = /* open", 2, "'b' is not followed by =");
    refused("a = 1; @include \"b\"", 1, "'@' stands where a key belongs");
    refused("a = }", 1, "'a' has no value");
    refused("a = 1 }", 1, "a } without its {");
}

int main(void)
{
    test_scan();
    test_numbers();
    test_lines();
    test_limits();
    test_refusals();
    return done_testing();
}
